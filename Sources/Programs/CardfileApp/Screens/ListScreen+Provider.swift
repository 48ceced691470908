import FetchedResults
import ListProviders
import ManagedObjects
import ObjectModel
import TerminalApplications
import TerminalKit

extension ListScreen: TableViewProviderDelegate {
  /// Connects the list to what this program has beside it.
  func connect() {
    provider.delegate = self
    makeReader = { [unowned self] in
      FilterTyping.Reader(
        entity: entity, model: session.model, wordAttributes: wordKeyPaths,
        history: session.state.filterHistory[entity.name] ?? [], knownTexts: session.knownTexts)
    }
    rememberFilter = { [unowned self] text in
      session.remember { StoreState.add(text, to: &$0.filterHistory[entity.name, default: []]) }
    }
    matchFound = { [unowned self] in markMatchingColumn(of: $0) }
  }

  func provider(
    _ provider: TableViewProvider<ManagedObject>, configureCell cell: inout TableCell,
    for object: ManagedObject
  ) {
    let look = session.look
    let patterns = highlighted
    cell.style = .columns
    if object.isAccessible {
      cell.fields = Array(repeating: TableCell.Field(""), count: columns.shown.count)
      for index in displayedColumns {
        cell.fields[index] = field(of: object, in: columns.shown[index])
        guard !patterns.isEmpty else { continue }
        let text = Array(cell.fields[index].text)
        cell.fields[index].matches = patterns.flatMap { $0.ranges(in: text) }
      }
    } else {
      // What cannot be read is not NULL.
      cell.fields = [TableCell.Field(look.signs.ellipsis, style: look.theme.dim)]
    }
    if session.marks.contains(object.objectID) { cell.flag = .deleted }
  }

  /// The field of an object in a column, as the settings have it written.
  func field(of object: ManagedObject, in column: ListColumn) -> TableCell.Field {
    column.field(
      of: object, in: session.context, look: session.look, dates: session.options.settings.dates)
  }

  /// Prefetches the objects that the visible rows' to-one columns lead to.
  func provider(_ provider: TableViewProvider<ManagedObject>, willDisplay ids: [ObjectID]) {
    displayedIDs = ids
    var destinations: Set<ObjectID> = []
    for index in displayedColumns {
      guard case .toOne(let relationship) = columns.shown[index].source else { continue }
      for id in ids {
        session.context.object(with: id).objectID(forKey: relationship.name)
          .map { _ = destinations.insert($0) }
      }
    }
    do {
      try session.context.prefetch(destinations)
    } catch {
      session.report(error)
    }
  }

  func provider(_ provider: TableViewProvider<ManagedObject>, titleForHeaderOfSection name: String)
    -> String?
  {
    sectionTitle(name)
  }

  /// The count; `…` while it is unknown, because not all rows of the section are here.
  func provider(
    _ provider: TableViewProvider<ManagedObject>, detailForHeaderOfSection name: String, count: Int
  ) -> String? {
    let names = controller.results?.names
    let isOpen =
      controller.isOpenAtStart && names?.first == name
      || controller.isOpenAtEnd && names?.last == name
    return (controller.isWindowed ? isOpen : fetching.isPartial) ? "…" : groupedDigits(count)
  }

  func provider(_ provider: TableViewProvider<ManagedObject>, indexTitleForSection name: String)
    -> String?
  {
    sectionTitle(name)
  }

  func provider(
    _ provider: TableViewProvider<ManagedObject>, didChangeContent change: ResultsChange,
    origin: ChangeOrigin
  ) {
    if origin == .store, let old = controller.previous, let new = controller.results {
      session.countOutside(change, from: old, to: new)
    }
  }

  func provider(_ provider: TableViewProvider<ManagedObject>, didSelect object: ManagedObject) {
    open(object.objectID)
  }
}

extension ListScreen {
  /// The title of a section, as the cells of its rows write the value.
  func sectionTitle(_ name: String) -> String {
    let signs = session.look.signs
    let name = SectionNames.unmarked(name)
    switch name {
    case "": return signs.null
    case "true", "false":
      return isByBoolean ? ValueText.line(.bool(name == "true")) ?? name : name
    default:
      // The section of values that are not of the attribute's type.
      return name.hasPrefix("≠ ") ? signs.own(name) : name
    }
  }

  /// Whether the sections are made by a boolean attribute.
  private var isByBoolean: Bool {
    guard let keyPath = controller.displayedRequest?.sectionKey?.keyPath else { return false }
    return defaults.attribute(at: keyPath)?.attribute.type == .boolean
  }
}

import FetchedResults
import ListProviders
import ManagedObjects
import ObjectModel
import TerminalApplications
import TerminalKit

extension ListScreen {
  /// The key paths that the list can be sorted by: columns first, then to-one relationships by the
  /// attribute that titles their objects, then all other attributes.
  var sortKeyPaths: [String] {
    var seen: Set<String> = []
    let shown = columns.shown.compactMap(keyPath)
    let others =
      entity.toOneRelationships.compactMap { keyPath(of: ListColumn(.toOne($0))) }
      + entity.attributes.map { KeyPathText.text([$0.name]) }
    return (shown + others).filter { keyPath in
      guard let found = defaults.attribute(at: keyPath) else { return false }
      return found.attribute.type != .binaryData && seen.insert(keyPath).inserted
    }
  }

  /// The key path that sorts by a column; nil if the list cannot be sorted by it.
  func keyPath(of column: ListColumn) -> String? {
    switch column.source {
    case .attribute(let attribute): return KeyPathText.text([attribute.name])
    case .toOne(let relationship):
      guard
        let destination = session.model.entity(named: relationship.destinationEntityName),
        let name = destination.displayCandidates.first ?? destination.displayAttributeName
      else { return nil }
      return KeyPathText.text([relationship.name, name])
    case .toMany, .object: return nil
    }
  }

  /// The sort menu: Enter sorts ascending, `-` descending, and `s` by the marked column.
  func sortMenu() -> Menu {
    let keyPaths = sortKeyPaths
    let current = provider.sortDescriptors.first
    let arrow = current?.ascending == false ? "↓" : "↑"
    let items = keyPaths.map { keyPath in
      Menu.Item(
        keyPath + (keyPath == current?.keyPath ? " \(arrow)" : ""),
        detail: defaults.attribute(at: keyPath).map { ValueText.typeName($0.attribute.type) } ?? "")
    }
    let selected = keyPaths.firstIndex { $0 == current?.keyPath } ?? 0
    let title = session.look.signs.own("Sort by   ⏎ ascending, - descending, s marked column")
    return Menu(
      title, items: items, selected: selected, fold: TextFolding.folded,
      shortcut: { [weak self] key, menu in
        switch key {
        case .character("-"):
          guard let index = menu.selectedItem else { return nil }
          return { self?.sort(by: keyPaths[index], ascending: false) }
        case .character("s") where menu.filter.isEmpty: return { self?.sortByMarkedColumn() }
        default: return nil
        }
      }
    ) { [weak self] in self?.sort(by: keyPaths[$0], ascending: true) }
  }

  private func sortByMarkedColumn() {
    if let markedColumn { sort(by: markedColumn) }
  }

  /// Sorts by a column, or reverses the order if the list is sorted by it.
  func sort(by column: ListColumn) {
    guard let keyPath = keyPath(of: column), defaults.attribute(at: keyPath) != nil else {
      return fail("The list cannot be sorted by \(column.name)")
    }
    if provider.sortDescriptors.first?.keyPath == keyPath {
      reverse()
    } else {
      sort(by: keyPath, ascending: true)
    }
  }

  /// Reverses the order of the first sort key.
  func reverse() {
    let descriptors = provider.sortDescriptors
    guard let first = descriptors.first else { return fail("There is nothing to sort by") }
    sort(by: [first.reversed] + descriptors.dropFirst())
  }

  private func sort(by keyPath: String, ascending: Bool) {
    sort(by: [defaults.descriptor(for: keyPath, ascending: ascending)])
  }

  /// Sorts; sections follow the first sort key.
  ///
  /// The cursor stays on its object if it was moved since the last sort; otherwise the list is shown
  /// from its beginning.
  func sort(by descriptors: [FetchSortDescriptor]) {
    let descriptors =
      scope.predicate == nil
      ? defaults.surveys.storeOrder(for: descriptors) : descriptors
    var request = provider.request
    let keyPath = descriptors.first?.keyPath
    if keyPath != request.sortDescriptors.first?.keyPath {
      request.sectionKey = defaults.sectionKey(for: descriptors)
    }
    request.fetchRequest.sortDescriptors = descriptors
    session.remember(for: entity.name) { choices in
      if keyPath != choices.sort?.first?.keyPath { choices.section = nil }
      choices.sort = descriptors.map { .init($0.keyPath, ascending: $0.ascending) }
    }
    sort(by: keyPath ?? "", request)
    warn(of: descriptors)
  }

  /// Says before a long list is sorted that no index has its order.
  func warn(of order: [FetchSortDescriptor]) {
    guard scope.predicate == nil, filter == nil, let warning = defaults.surveys.warning(of: order)
    else { return }
    show(warning + session.advice((.escape, "stops that")))
  }
}

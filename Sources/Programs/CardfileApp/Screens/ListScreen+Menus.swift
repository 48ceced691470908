import FetchedResults
import ListProviders
import ManagedObjects
import ObjectModel
import TerminalApplications
import TerminalKit

extension ListScreen {
  // MARK: Sections

  /// All sections with their counts; nil if there are none.
  func sectionsOverview() -> SectionsOverlay? {
    guard controller.displayedRequest?.sectionKey != nil, tableView.numberOfRows > 0 else {
      fail("This list has no sections" + session.advice((.sectionsBy, "makes some")))
      return nil
    }
    return SectionsOverlay(
      current: tableView.currentSection ?? 0,
      sections: { [weak self] in
        guard let self, let list = controller.results else { return ([], true) }
        let sections = list.names.indices.map {
          SectionsOverlay.Section(
            title: sectionTitle(list.names[$0]), count: list.count(inSection: $0))
        }
        return (sections, controller.fetchState == .complete)
      },
      choose: { [weak self] section in
        guard let self else { return }
        goToSection(section, from: cursor)
      })
  }

  /// The most sections that are looked up, one after the other.
  private static let mostLookedUp = 20_000

  /// Shows all sections of a windowed list once they have been looked up.
  private func showSections(_ found: [LookedUpSection]?) {
    guard let found else {
      return fail(
        "There are too many sections to look all of them up"
          + session.advice((.jumpToSection, "goes to one")))
    }
    let current = tableView.currentSection.flatMap { results?.names[$0] }
    app?.present(
      SectionsOverlay(
        current: found.firstIndex { $0.name == current } ?? 0,
        sections: { [weak self] in
          (
            found.map { .init(title: self?.sectionTitle($0.name) ?? $0.name, count: $0.count) },
            true
          )
        },
        choose: { [weak self] index in self?.goToSection(of: found[index].first) }))
  }

  /// Looks the sections of a windowed list up, in the background.
  func lookUpSections() {
    guard controller.displayedRequest?.sectionKey != nil,
      let read = controller.sectionReading(limit: Self.mostLookedUp)
    else {
      return fail("This list has no sections" + session.advice((.sectionsBy, "makes some")))
    }
    session.jobs.start("Looking up sections", for: self) { control in
      try read(control)
    } done: { [weak self] in
      self?.showSections($0)
    }
  }

  /// The menu of what sections can be made by.
  func sectionMenu() -> Menu {
    let keys: [SectionKey?] = [nil] + sectionKeys
    let current = controller.displayedRequest?.sectionKey
    let items = keys.map { key in
      Menu.Item(
        key.map { $0.keyPath } ?? "none",
        detail: key.map { Self.phrase($0.transform) } ?? "one flat list")
    }
    let selected = keys.firstIndex { $0 == current } ?? 0
    return Menu("Sections by", items: items, selected: selected, fold: TextFolding.folded) {
      [weak self] in self?.makeSections(by: keys[$0])
    }
  }

  private static func phrase(_ transform: SectionKey.Transform) -> String {
    switch transform {
    case .value: "each value"
    case .initial: "initial letter"
    default: transform.rawValue
    }
  }

  private var sectionKeys: [SectionKey] {
    let first = markedColumn.flatMap(keyPath)
    let keyPaths = sortKeyPaths
    return (keyPaths.filter { $0 == first } + keyPaths.filter { $0 != first })
      .flatMap { keyPath -> [SectionKey] in
        guard let attribute = defaults.attribute(at: keyPath)?.attribute else { return [] }
        let transforms: [SectionKey.Transform] =
          switch attribute.type {
          case .binaryData, .transformable: []
          case .date: SectionKey.Transform.ofDates.reversed()
          case .string, .uri, .undefined: [.value, .initial]
          default: [.value]
          }
        return transforms.map { SectionKey(keyPath, $0) }
      }
  }

  /// Makes sections; the order within them stays.
  private func makeSections(by key: SectionKey?) {
    var request = provider.request
    let old = request.sectionKey
    request.sectionKey = key
    var order = request.fetchRequest.sortDescriptors
    if let old, order.count > 1, order.first?.keyPath == old.keyPath, old.keyPath != key?.keyPath {
      // It was put first for the former sections.
      order.removeFirst()
    }
    if let key, order.first?.keyPath != key.keyPath {
      order.removeAll { $0.keyPath == key.keyPath }
      order.insert(defaults.descriptor(for: key.keyPath), at: 0)
    }
    request.fetchRequest.sortDescriptors = order
    session.remember(for: entity.name) { choices in
      choices.section = key.map(\.description) ?? "none"
      choices.sort = order.map { .init($0.keyPath, ascending: $0.ascending) }
    }
    sort(by: key?.keyPath ?? "", request)
  }

  // MARK: Columns

  /// The menu of columns.
  func columnsMenu() -> ColumnsOverlay {
    let shown = columns.preferred
    let names = Set(shown.map(\.name))
    let others = columns.all.filter { !names.contains($0.name) }
    let items =
      shown.map { ColumnsOverlay.Item(column: $0, isShown: true, type: $0.typeName) }
      + others.map { ColumnsOverlay.Item(column: $0, isShown: false, type: $0.typeName) }
    return ColumnsOverlay(
      items, change: { [weak self] in self?.setColumns($0) },
      chooseKind: { [weak self] in self?.chooseKind($0) })
  }

  /// Asks what a column is, by the command of the same name.
  private func chooseKind(_ column: ListColumn) {
    guard case .attribute(let attribute) = column.source else {
      return fail("\(column.name) is a relationship: only columns have a type")
    }
    app?.chooseKind(of: attribute, in: entity)
  }

  /// Shows columns, now and in the next run; nil for the entity's default.
  func setColumns(_ chosen: [ListColumn]?) {
    columns.chosen = chosen
    session.remember(for: entity.name) { choices in
      choices.columns = chosen?.map { .init($0.name, width: $0.width) }
    }
  }
}

extension ListColumn {
  /// The type of its values.
  fileprivate var typeName: String {
    switch source {
    case .attribute(let attribute): ValueText.typeName(attribute.type)
    case .toOne(let relationship): relationship.destinationEntityName
    case .toMany(let relationship): "number of \(relationship.destinationEntityName)"
    case .object: "object"
    }
  }
}

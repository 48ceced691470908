import FetchedResults
import ListProviders
import ManagedObjects
import ObjectModel
import TerminalKit

extension ListScreen {
  /// The key paths that the list can be sorted by: columns first, relationships by their display
  /// attribute.
  private var sortKeyPaths: [(keyPath: String, attribute: AttributeDescription)] {
    var seen: Set<String> = []
    var result: [(String, AttributeDescription)] = []
    func add(_ keyPath: String) {
      guard
        let found = ListDefaults.attribute(at: keyPath, from: entity, in: session.model),
        found.attribute.type != .binaryData, seen.insert(keyPath).inserted
      else { return }
      result.append((keyPath, found.attribute))
    }
    for column in columns {
      switch column.source {
      case .attribute(let attribute): add(KeyPathText.text([attribute.name]))
      case .toOne(let relationship):
        let destination = session.model.entity(named: relationship.destinationEntityName)
        if let name = destination?.displayAttributeName {
          add(KeyPathText.text([relationship.name, name]))
        }
      case .toMany: break
      }
    }
    for attribute in entity.attributes { add(KeyPathText.text([attribute.name])) }
    return result
  }

  func sortMenu() -> MenuOverlay {
    let keyPaths = sortKeyPaths
    let current = provider.sortDescriptors.first
    let arrow = current?.ascending == false ? "↓" : "↑"
    let items = keyPaths.map { keyPath, attribute in
      Menu.Item(
        keyPath + (keyPath == current?.keyPath ? " \(arrow)" : ""),
        detail: ValueText.typeName(attribute.type))
    }
    let selected = keyPaths.firstIndex { $0.keyPath == current?.keyPath } ?? 0
    return MenuOverlay(
      Menu("Sort by", items: items, selected: selected, fold: TextFolding.folded)
    ) { [weak self] choice in
      guard let self, keyPaths.indices.contains(choice) else { return }
      sort(byKeyPath: keyPaths[choice].keyPath, keyPaths[choice].attribute)
    }
  }

  /// Sorts by a column, as a click on its title does.
  func sort(by column: ListColumn) {
    let found = sortKeyPaths.first {
      KeyPathText.components(of: $0.keyPath)?.first == column.name
    }
    guard let found else {
      session.message = .failed("\(entity.name) cannot be sorted by \(column.name)")
      return
    }
    sort(byKeyPath: found.keyPath, found.attribute)
  }

  /// Sorts by a key path; by the one that the list is sorted by, reverses the order.
  private func sort(byKeyPath keyPath: String, _ attribute: AttributeDescription) {
    let current = provider.sortDescriptors.first
    let ascending = keyPath == current?.keyPath ? current?.ascending == false : true
    sort(by: [ListDefaults.descriptor(for: attribute, keyPath: keyPath, ascending: ascending)])
  }

  /// Reverses the order of the first sort key.
  func reverse() {
    let descriptors = provider.sortDescriptors
    guard let first = descriptors.first else { return }
    sort(by: [first.reversed] + descriptors.dropFirst())
  }

  /// Sorts; sections follow the first sort key, and the cursor stays on its object.
  func sort(by descriptors: [FetchSortDescriptor]) {
    var request = provider.request
    let keyPath = descriptors.first?.keyPath
    if keyPath != request.sortDescriptors.first?.keyPath {
      request.sectionKey = ListDefaults.sectionKey(
        for: descriptors, entity: entity, store: session.store)
    }
    request.fetchRequest.sortDescriptors = descriptors
    session.remember(for: entity.name) { choices in
      if keyPath != choices.sort?.first?.keyPath { choices.section = nil }
      choices.sort = descriptors.map { .init($0.keyPath, ascending: $0.ascending) }
    }
    fetch(.sorting(keyPath ?? ""), request)
  }
}

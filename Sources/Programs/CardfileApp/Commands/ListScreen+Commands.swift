import FetchedResults
import ListProviders
import ObjectModel
import TerminalApplications

extension ListScreen {
  /// Sorts by a typed order; by the entity's default if it is empty.
  func sort(typed text: String) throws(TypedTextError) {
    let order = try TypedOrder.descriptors(text, for: entity, in: session.model)
    sort(by: order.isEmpty ? defaults.orderOfAll : order)
  }

  /// Makes sections by a typed key; those of the order if it is empty.
  func setSections(typed text: String) throws(TypedTextError) {
    var request = provider.request
    request.sectionKey =
      text.isEmpty
      ? defaults.sectionKey(for: request.sortDescriptors)
      : try TypedOrder.sectionKey(text, for: entity, in: session.model)
    session.remember(for: entity.name) { $0.section = text.isEmpty ? nil : text }
    fetch(.sectioning, request)
  }

  /// Shows typed columns in their order; the entity's default ones if there are none.
  func setColumns(typed text: String) throws(TypedTextError) {
    let offered = columns.all.map(\.name)
    var chosen: [ListColumn] = []
    for part in NameList.split(text) {
      let name = NameList.unquoted(part.text)
      guard let column = ListColumn(named: name, of: defaults) else {
        throw TypedTextError(unknown: name, in: entity.name, at: part.range, offering: offered)
      }
      if !chosen.contains(where: { $0.name == name }) { chosen.append(column) }
    }
    setColumns(chosen.isEmpty ? nil : chosen)
  }

  /// Filters by a typed predicate; not at all if it is empty.
  func setFilter(typed text: String) throws(TypedTextError) {
    guard !text.isEmpty else { return filter(by: nil) }
    do {
      filter(
        by: try TypedPredicate(
          text, as: .predicate, for: entity, in: session.model, wordAttributes: [])
      )
    } catch {
      throw TypedTextError(error)
    }
    rememberFilter(text)
  }
}

import FetchedResults
import ListProviders
import ManagedObjects
import ObjectModel

/// Parts of a list that are shown before all its rows have been fetched.
extension ListScreen {
  /// The rows at a percentage of a list in store order, by their integer keys; nil for any other
  /// list, whose middle only the whole list knows.
  func part(at percent: Int) -> ListPart? {
    guard let request = controller.displayedRequest, request.sectionKey == nil, filter == nil,
      request.fetchRequest.predicate == nil, let order = request.sortDescriptors.first,
      entity?.keyAttributes == [order.keyPath], (1..<100).contains(percent),
      let first = endKey(isLast: false), let last = endKey(isLast: true)
    else { return nil }
    // As far apart as integers can be: a double is exact enough for a position among a million rows.
    let position = Double(first) + (Double(last) - Double(first)) * Double(percent) / 100
    guard let number = Int64(exactly: position.rounded()) else { return nil }
    let key = PropertyKey(order.keyPath)
    return .matching(order.ascending ? key >= number : key <= number)
  }

  /// The integer key at one end of the list.
  private func endKey(isLast: Bool) -> Int64? {
    var plan = try? controller.displayedRequest?.plan(in: context.model)
    plan?.limit = 1
    plan?.isFromEnd = isLast
    guard let plan, let id = try? context.fetchIDs(plan).ids.first,
      case .integer(let key) = id.key
    else { return nil }
    return key
  }

  /// The rows that letters lead to, if sections and rows are in the order of one text; nil if rows
  /// that begin with the letters need not follow each other.
  func part(beginningWith letters: String) -> ListPart? {
    guard let request = controller.displayedRequest, let order = request.sortDescriptors.first,
      attribute(at: order.keyPath)?.kind == .text,
      let folding = order.folding, folding.isSuperset(of: .localized),
      !folding.contains(.numeric) || !letters.contains(where: \.isNumber)
    else { return nil }
    if let key = request.sectionKey {
      guard key.keyPath == order.keyPath, [.value, .initial].contains(key.transform) else {
        return nil
      }
    }
    return .matching(PropertyKey(order.keyPath).beginsWith(letters, .cd))
  }

  /// The attribute at the end of a key path; nil if there is none.
  func attribute(at keyPath: String) -> AttributeDescription? {
    entity.flatMap { context.model.attribute(at: keyPath, from: $0)?.attribute }
  }
}

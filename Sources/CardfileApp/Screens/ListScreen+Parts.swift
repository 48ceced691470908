import FetchedResults
import ListProviders
import ManagedObjects
import ObjectModel

/// Parts of a list that are shown before all its rows have been fetched.
extension ListScreen {
  /// The rows at a percentage of a list in store order, by their integer keys; nil for any other
  /// list, whose middle only the whole list knows.
  func part(at percent: Int) -> ListPart? {
    guard let request = provider.displayedRequest, request.sectionKey == nil, filter == nil,
      request.fetchRequest.predicate == nil, let order = request.sortDescriptors.first,
      entity.keyAttributes == [order.keyPath], (1..<100).contains(percent),
      let first = endKey(isLast: false), let last = endKey(isLast: true)
    else { return nil }
    // As far apart as integers can be: a double is exact enough for a place among a million rows.
    let place = Double(first) + (Double(last) - Double(first)) * Double(percent) / 100
    guard let key = Int64(exactly: place.rounded()) else { return nil }
    return .matching(
      order.keyPath, order.ascending ? .greaterOrEqual : .lessOrEqual, .integer(key))
  }

  /// The integer key at one end of the list.
  private func endKey(isLast: Bool) -> Int64? {
    var plan = try? provider.displayedRequest?.plan(in: session.context.model)
    plan?.limit = 1
    plan?.isFromEnd = isLast
    guard let plan, let id = try? session.context.fetchIDs(plan).ids.first,
      case .integer(let key) = id.key
    else { return nil }
    return key
  }

  /// The rows that letters lead to, if sections and rows are in the order of one text; nil if rows
  /// that begin with the letters need not follow each other.
  func part(beginningWith letters: String) -> ListPart? {
    guard let request = provider.displayedRequest, let order = request.sortDescriptors.first,
      let found = defaults.attribute(at: order.keyPath), found.attribute.kind == .text,
      let folding = order.folding, folding.isSuperset(of: .localized),
      !folding.contains(.numeric) || !letters.contains(where: \.isNumber)
    else { return nil }
    if let key = request.sectionKey {
      guard key.keyPath == order.keyPath, [.value, .initial].contains(key.transform) else {
        return nil
      }
    }
    return .matching(order.keyPath, .beginsWith, .string(letters), options: .cd)
  }
}

extension ListPart {
  /// The first rows whose value at a key path compares with another one.
  fileprivate static func matching(
    _ keyPath: String, _ operation: FetchPredicate.Operator, _ value: Value,
    options: FetchPredicate.Options = []
  ) -> ListPart? {
    KeyPathText.components(of: keyPath).map { path in
      .matching(
        FetchPredicate(
          .comparison(.init(.keyPath(path), operation, .constant(value), options: options))))
    }
  }
}

package import ObjectModel
import Synchronization
import TerminalKit

/// What a store says of lists of all objects of an entity, asked once for each order: a server makes
/// a plan each time.
package nonisolated final class ListSurveys: Sendable {
  private let entityName: String
  private let store: (any PlaceFetching)?
  private let known = Mutex<[[FetchSortDescriptor]: ListSurvey?]>([:])

  package init(of entity: EntityDescription, in store: any PersistentStore) {
    entityName = entity.name
    self.store = store.placeFetching
  }

  /// The store's word on an order; nil if it can only send the list whole, or looks up no places.
  subscript(_ order: [FetchSortDescriptor]) -> ListSurvey? {
    guard let store else { return nil }
    if let survey = known.withLock({ $0[order] }) { return survey }
    let survey = try? store.survey(FetchPlan(entityName: entityName, sortDescriptors: order))
    known.withLock { $0[order] = .some(survey) }
    return survey
  }

  /// Returns the order itself, unless the list is long and the store sorts texts in its own orders:
  /// then the best one that an index has, or else the one of the whole store.
  package func storeOrder(for order: [FetchSortDescriptor]) -> [FetchSortDescriptor] {
    let comparisons = order.map(comparisons(of:))
    guard let count = comparisons.lazy.compactMap({ $0?.count }).max(), longCount != nil else {
      return order
    }
    let orders = (0..<count).map { place in
      zip(order, comparisons).map { sort, comparisons in
        guard let comparisons else { return sort }
        return FetchSortDescriptor(
          sort.keyPath, ascending: sort.ascending,
          comparison: comparisons[min(place, comparisons.count - 1)])
      }
    }
    return orders.first { self[$0]?.isForWindows == true } ?? orders[count - 1]
  }

  /// About how many objects a long list has, which is not read whole unless it must be; nil for a
  /// short list, or if that is not known.
  private var longCount: Int? {
    self[[]]?.estimatedCount.flatMap { $0 >= ListSurvey.leastWindowedCount ? $0 : nil }
  }

  /// Warns before the long list of a server is sorted by an order that no index has; nil for any
  /// other list.
  func warning(of order: [FetchSortDescriptor]) -> String? {
    guard let store, store.isShared, let count = longCount, self[order]?.isForWindows != true
    else { return nil }
    return "No index for this order: sorting ≈ \(groupedDigits(count)) rows"
  }

  /// The name of an order of texts that is the store's, and not a person's own; nil for any other.
  func storeOrderName(of sort: FetchSortDescriptor) -> String? {
    if let collation = sort.collation { return collation.name }
    return sort.comparison == .binary && comparisons(of: sort) != nil ? "C" : nil
  }

  /// The comparisons by which the store sorts the texts of an attribute; nil if it sorts by all of
  /// them, or the attribute has no text.
  private func comparisons(of sort: FetchSortDescriptor) -> [FetchSortDescriptor.Comparison]? {
    guard let path = KeyPathText.components(of: sort.keyPath), path.count == 1 else { return nil }
    return store?.comparisons(of: path[0], in: entityName)
  }
}

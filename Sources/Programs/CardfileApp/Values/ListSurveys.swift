import ObjectModel
import Synchronization

/// What a store says of lists of all objects of an entity, asked once for each order: a server makes
/// a plan each time.
nonisolated final class ListSurveys: Sendable {
  private let entityName: String
  private let store: (any PlaceFetching)?
  private let known = Mutex<[[FetchSortDescriptor]: ListSurvey?]>([:])

  init(of entity: EntityDescription, in store: any PersistentStore) {
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
}

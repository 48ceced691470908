import ManagedObjects
import ObjectModel

/// The first objects of a long list of all objects.
///
/// The first matches of a filter that is typed are looked for among them before the whole table is
/// read: a common word is found there at once.
struct ListStart: Sendable {
  /// The least number of rows: the table of a shorter list is read before a person notices.
  private static let leastCount = 1_000_000
  /// How many objects are looked through: as many as the store tests while a person waits for a
  /// letter.
  private static let count = 16_000
  /// How many of them are looked through first.
  private static let step = 1_000

  /// The plan of the list, which has no predicate.
  private let plan: FetchPlan
  private let ids: [ObjectID]

  /// The start of a list; nil for one that is short, or has a predicate, a limit or an offset.
  ///
  /// - Parameters:
  ///   - list: All rows of the list.
  ///   - plan: Its plan.
  ///   - leastCount: The least number of rows.
  init?(of list: ResultsSections, _ plan: FetchPlan, leastCount: Int = Self.leastCount) {
    guard list.count >= leastCount, plan.predicate == nil, plan.limit == nil, plan.offset == 0
    else { return nil }
    self.plan = plan
    ids = list.ids.prefix(Self.count).filter { !$0.isTemporary }
  }

  /// Fetches the first rows of the list with a predicate.
  ///
  /// An object that was added or moved to the start of the list since is missing.
  ///
  /// - Parameters:
  ///   - plan: The plan of the list, with a predicate and the number of rows as its limit.
  ///   - store: The store.
  ///   - control: Cancels, from another thread.
  /// - Returns: The rows; nil if there are too few of them at the start, or it is another list's.
  /// - Throws: ``StoreError``.
  func fetch(_ plan: FetchPlan, from store: any PersistentStore, control: FetchControl)
    throws(StoreError) -> FetchedIDs?
  {
    var list = plan
    (list.predicate, list.limit) = (nil, nil)
    guard let limit = plan.limit, list == self.plan, store.placeFetching != nil else { return nil }
    var found: [ObjectID] = []
    var tested = 0
    while found.count < limit {
      let part = ids[tested...].prefix(max(Self.step, tested))
      guard !part.isEmpty, var matching = Self.plan(plan, among: part, in: store.model) else {
        return nil
      }
      (matching.sortDescriptors, matching.sectionKey, matching.limit) = ([], nil, nil)
      found += try store.fetch(matching, control: control).ids
      tested += part.count
      // The whole table has little more than the first rows, or too few of them are here.
      guard found.count * (ids.count / tested) >= limit else { return nil }
    }
    return try Self.plan(plan, among: found[...], in: store.model).map { plan throws(StoreError) in
      try store.fetch(plan, control: control)
    }
  }

  /// A plan for those of some objects that satisfy its predicate; nil if it has none.
  private static func plan(
    _ plan: FetchPlan, among ids: ArraySlice<ObjectID>, in model: ManagedObjectModel
  ) -> FetchPlan? {
    guard let predicate = plan.predicate?.predicate else { return nil }
    let isAmong = FetchPredicate(
      .comparison(.init(.selfObject, .in, .list(ids.map { .object($0) }))))
    var plan = plan
    plan.predicate = try? FetchPredicate.all([isAmong, predicate]).validated(
      forEntity: plan.entityName, in: model)
    return plan.predicate == nil ? nil : plan
  }
}

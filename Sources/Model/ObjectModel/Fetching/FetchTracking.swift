/// A store that can fetch a list again by what has changed since, and take it from a cache.
///
/// All other stores fetch every list whole each time.
package protocol FetchTracking: PersistentStore {
  /// Fetches object IDs again, after other programs have committed: gives the earlier results with
  /// only the changed rows moved, where what decides on the order is read faster than it is sorted.
  ///
  /// If nothing was committed, those of a list without a predicate serve a filter of it too: its
  /// rows stay in their order.
  ///
  /// - Parameters:
  ///   - plan: What to fetch.
  ///   - earlier: The last result of this method for the same plan, or for that without its
  ///     predicate; nil for none.
  ///   - cache: Where the results are kept if their state can be recognised later; nil for nowhere.
  ///   - control: Reports progress and cancels, from another thread.
  /// - Returns: The same results as of ``PersistentStore/fetch(_:control:)``.
  /// - Throws: ``StoreError``; its reason is `cancelled` if the control cancelled it.
  func refetch(
    _ plan: FetchPlan, since earlier: TrackedFetch?, keepingIn cache: (any FetchCache)?,
    control: FetchControl?
  ) throws(StoreError) -> TrackedFetch

  /// Finds out what the rows of a fetch are like, so that the next
  /// ``refetch(_:since:keepingIn:control:)`` can find the changed ones.
  ///
  /// Call it when the results have been shown: it takes about as long.
  ///
  /// - Parameters:
  ///   - fetch: The last result of `refetch`.
  ///   - control: Cancels, from another thread.
  /// - Returns: The same results; nil if the store has changed since, or does not know.
  /// - Throws: ``StoreError``.
  func track(_ fetch: TrackedFetch, control: FetchControl?) throws(StoreError) -> TrackedFetch?

  /// Takes the results of a fetch from a cache, if it is certain that nothing has changed since
  /// that could change them.
  ///
  /// - Parameters:
  ///   - plan: What to fetch.
  ///   - cache: The cache.
  /// - Returns: The same results as of ``PersistentStore/fetch(_:control:)``; nil if they must be
  ///   fetched.
  /// - Throws: ``StoreError``.
  func fetch(_ plan: FetchPlan, from cache: any FetchCache) throws(StoreError) -> TrackedFetch?
}

extension PersistentStore {
  /// The store that fetches by what has changed: this one, or the one that it wraps; nil for none.
  package var fetchTracking: (any FetchTracking)? {
    (self as? any FetchTracking) ?? (self as? any ForwardingStore)?.base.fetchTracking
  }

  /// Fetches as ``FetchTracking/refetch(_:since:keepingIn:control:)``; a store that cannot fetches
  /// all, and keeps nothing.
  package func fetch(
    _ plan: FetchPlan, since earlier: TrackedFetch?, keepingIn cache: (any FetchCache)?,
    control: FetchControl?
  ) throws(StoreError) -> TrackedFetch {
    guard let fetchTracking else {
      return TrackedFetch(try fetch(plan, control: control), plan: plan)
    }
    return try fetchTracking.refetch(plan, since: earlier, keepingIn: cache, control: control)
  }
}

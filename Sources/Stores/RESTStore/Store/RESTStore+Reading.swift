import Foundation
public import ObjectModel
import Synchronization

/// Fetches are answered by the cache, and each says what has to be brought up to date behind.
extension RESTStore {
  /// Fetches from the cache.
  public func fetch(_ plan: FetchPlan, control: FetchControl?) throws(StoreError) -> FetchedIDs {
    want(plan)
    return try cache.fetch(plan, control: control)
  }

  /// Counts in the cache if it has all objects of the entity and follows the service; else the
  /// service counts, if it can.
  public func count(_ plan: FetchPlan, control: FetchControl?) throws(StoreError) -> Int {
    if !options.updatesBehind || listing(of: plan.entityName).completed == nil {
      if let count = try serviceCount(plan, control) { return count }
      want(plan)
    }
    return try cache.count(plan, control: control)
  }

  /// Reads from the cache; what it has not is asked for behind.
  public func rows(of ids: [ObjectID]) throws(StoreError) -> [RowSnapshot?] {
    let rows = try cache.rows(of: ids)
    want(zip(ids, rows).filter { $0.1 == nil }.map(\.0))
    return rows
  }

  /// Reads from the cache; what the service has to be asked for by itself is asked for behind, of
  /// one object at a time.
  public func destinations(of relationship: String, from ids: [ObjectID]) throws(StoreError)
    -> [ObjectID: [ObjectID]]
  {
    if ids.count == 1 { want(relationship, of: ids[0]) }
    return try cache.destinations(of: relationship, from: ids)
  }

  /// Whether the service counts the objects of a fetch itself.
  package func canCount(_ plan: FetchPlan) throws(StoreError) -> Bool {
    try withClient { client throws(StoreError) in try client.request(forCount: plan) != nil }
  }

  /// What the service says the number is; nil if it cannot, or this thread does not wait.
  private func serviceCount(_ plan: FetchPlan, _ control: FetchControl?) throws(StoreError) -> Int?
  {
    var key = plan
    (key.sortDescriptors, key.sectionKey) = ([], nil)
    guard plan.limit == nil, plan.offset == 0 else { return nil }
    if let known = state.withLock({ $0.counts[key] }),
      Date().timeIntervalSince(known.date) < options.maximumAge || !FetchControl.mayWait
    {
      return known.count
    }
    guard FetchControl.mayWait, let entity = model.entity(named: plan.entityName),
      let request = try withClient({ client throws(StoreError) in
        try client.request(forCount: plan)
      })
    else { return nil }
    let answer: RESTAnswer
    do {
      answer = try successfulAnswer(to: request, of: entity, control: control)
    } catch {
      if error.reason == .cancelled { throw error }
      note(error)
      return nil
    }
    let count = try withClient { client throws(StoreError) in client.count(in: answer) }
    if let count { state.withLock { $0.counts[key] = (count, Date()) } }
    return count
  }
}

extension RESTStore: FetchTracking {
  /// Fetches from the cache.
  package func refetch(
    _ plan: FetchPlan, since earlier: TrackedFetch?, keepingIn cache: (any FetchCache)?,
    control: FetchControl?
  ) throws(StoreError) -> TrackedFetch {
    want(plan)
    return try base.fetch(plan, since: earlier, keepingIn: cache, control: control)
  }

  /// Asks the cache.
  package func track(_ fetch: TrackedFetch, control: FetchControl?) throws(StoreError)
    -> TrackedFetch?
  { try base.fetchTracking?.track(fetch, control: control) }

  /// Fetches from the cache.
  package func fetch(_ plan: FetchPlan, from cache: any FetchCache) throws(StoreError)
    -> TrackedFetch?
  {
    want(plan)
    return try base.fetchTracking?.fetch(plan, from: cache)
  }
}

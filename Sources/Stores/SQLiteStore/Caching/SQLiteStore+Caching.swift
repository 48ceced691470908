import Foundation
package import ObjectModel
import SQLQueries

extension SQLiteStore: FetchTracking {
  /// Takes the results of a fetch from a cache, if it is certain that they are those of the state
  /// that is read.
  ///
  /// - Parameters:
  ///   - plan: The fetch.
  ///   - cache: The cache.
  /// - Returns: The results; nil if there are none for the state, or it cannot be recognised.
  /// - Throws: `StoreError`.
  package func fetch(_ plan: FetchPlan, from cache: any FetchCache) throws(StoreError)
    -> TrackedFetch?
  {
    guard canCache else { return nil }
    return try read(doing: "fetching \(plan.entityName)") { connection throws(StoreError) in
      let query = try FetchQuery(plan, compiler: reader.compiler)
      guard let signature = try signature(of: query, on: connection),
        let results = cache.results(for: signature)
      else { return nil }
      var fetch = TrackedFetch(results, plan: plan)
      fetch.state = try readState(of: connection)
      return fetch
    }
  }

  /// Fetches object IDs again, in one transaction: reads the sort keys, and sorts only the rows that
  /// have changed; in the same state of the database none.
  ///
  /// - Parameters:
  ///   - plan: The fetch.
  ///   - earlier: The last result of this method for the same plan, or for that without its
  ///     predicate; nil for none.
  ///   - cache: Where the results are kept, if a later fetch can be certain that it would have the
  ///     same ones; nil for nowhere.
  ///   - control: Reports progress, and can cancel the fetch on another thread.
  /// - Returns: The same results as of ``fetch(_:control:)``.
  /// - Throws: `StoreError`; its reason is `cancelled` if the control has cancelled the fetch.
  /// - Complexity: O(*n*) for reading the sort keys, and O(log *n*) queries for the changed rows.
  ///   Where too much has changed, or keys are no integers, that of ``fetch(_:control:)``.
  package func refetch(
    _ plan: FetchPlan, since earlier: TrackedFetch?, keepingIn cache: (any FetchCache)?,
    control: FetchControl?
  ) throws(StoreError) -> TrackedFetch {
    let found = try read(
      doing: "fetching \(plan.entityName)", isLimited: control == nil, by: control
    ) {
      connection throws(StoreError) -> (
        fetch: TrackedFetch, cached: (query: FetchQuery, signature: FetchSignature)?
      ) in
      let state = try readState(of: connection)
      var fetch: TrackedFetch
      if let earlier, let last = earlier.state as? ReadState, last.isSame(as: state),
        let narrowed = try reader.narrow(
          earlier, to: plan, control: control, on: connection, besides: pool)
      {
        fetch = narrowed
      } else {
        fetch = try reader.refetch(
          plan, since: earlier, control: control, on: connection, besides: pool)
      }
      fetch.state = state
      // Only of an entity with integer keys.
      guard cache != nil, canCache, fetch.results.ids.withCoding({ _, _ in }) != nil else {
        return (fetch, nil)
      }
      let query = try FetchQuery(plan, compiler: reader.compiler)
      return (fetch, try signature(of: query, on: connection).map { (query, $0) })
    }
    // Now it is known that the fetch has not mixed two states.
    if let (query, signature) = found.cached, isRepeatable(plan, by: query) {
      cache?.keep(found.fetch.results, for: signature)
    }
    return found.fetch
  }

  /// Whether states of the database can be recognised: not those of a copy that is removed, nor of a
  /// file that other machines may change.
  private var canCache: Bool { !readsCopy && !FileEvents.isRemote(guardian.path) }

  /// The state that a connection reads in its transaction.
  ///
  /// - Throws: `StoreError`.
  func readState(of connection: Connection) throws(StoreError) -> ReadState {
    try ReadState(of: connection, isRecognisable: canCache)
  }

  /// What the results of a fetch depend on; nil if that is not known.
  private func signature(of query: FetchQuery, on connection: Connection) throws(StoreError)
    -> FetchSignature?
  {
    guard let state = try FileStateBytes(of: connection), let modelDigest else { return nil }
    var builder = SignatureBuilder()
    builder.add(.string(ProgramIdentity.current))
    builder.add(.data(Data(state.bytes)))
    builder.add(.string(identifier))
    builder.add(.integer(Int64(bitPattern: modelDigest)))
    builder.add(query)
    return builder.signature
  }

  /// Whether a fetch has the same results in the same state of the database.
  private func isRepeatable(_ plan: FetchPlan, by query: FetchQuery) -> Bool {
    guard plan.predicate?.hasChangingConstants != true else { return false }
    let isRepeatable = try? pool.useSeparateReader(doing: "fetching") {
      FetchSurvey.isRepeatable(query.sql, on: $0)
    }
    return isRepeatable ?? false
  }
}

extension ValidatedPredicate {
  /// Whether it reads the clock or random numbers, and so says something else at another time.
  fileprivate var hasChangingConstants: Bool {
    var isFound = false
    node.forEachExpression { expression in
      guard case .function(let name, _) = expression else { return }
      switch PredicateFunction(written: name) {
      case .now, .random, nil: isFound = true
      default: break
      }
    }
    return isFound
  }
}

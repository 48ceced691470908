/// The results of a fetch, and what a store needs to find out later which of its rows have changed.
public struct TrackedFetch: Sendable {
  /// The results.
  public var results: FetchedIDs
  /// The plan that was fetched.
  package var plan: FetchPlan
  /// Digests of the rows; nil if the store has to read all of them again.
  package var fingerprint: FetchFingerprint?
  /// The store's description of the state of the database that was read; nil if it has none.
  package var state: (any Sendable)?

  /// Whether only the rows that had changed were sorted.
  package var isIncremental = false

  /// Creates a result of which nothing else is known.
  ///
  /// - Parameters:
  ///   - results: What was fetched.
  ///   - plan: The plan that was fetched.
  public init(_ results: FetchedIDs, plan: FetchPlan) {
    self.init(results, plan: plan, fingerprint: nil)
  }

  package init(
    _ results: FetchedIDs, plan: FetchPlan, fingerprint: FetchFingerprint?,
    isIncremental: Bool = false
  ) {
    self.results = results
    self.plan = plan
    self.fingerprint = fingerprint
    self.isIncremental = isIncremental
  }
}

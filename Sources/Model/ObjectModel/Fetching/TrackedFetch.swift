/// The results of a fetch, and what a store needs to find out later which of its rows have changed.
package struct TrackedFetch: Sendable {
  /// The results.
  package var results: FetchedIDs
  /// The plan that was fetched.
  package var plan: FetchPlan
  /// Digests of the rows; nil if the store has to read all of them again.
  package var fingerprint: FetchFingerprint?
  /// The store's description of the state of the database that was read; nil if it has none.
  package var state: (any Sendable)?

  /// Whether only the rows that had changed were sorted, or none.
  package var isIncremental = false

  /// Creates a result of which nothing else is known.
  ///
  /// - Parameters:
  ///   - results: What was fetched.
  ///   - plan: The plan that was fetched.
  package init(_ results: FetchedIDs, plan: FetchPlan) {
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

/// All that the results of a fetch depend on: the plan, the model, the rules of the order, and the
/// state of the store.
///
/// Fetches with equal signatures have equal results, in another process too.
package struct FetchSignature: Hashable, Sendable {
  /// The signature as bytes, with nothing left out: it is no digest.
  package let bytes: [UInt8]

  /// Makes a signature; two of different fetches or states must differ.
  package init(bytes: [UInt8]) { self.bytes = bytes }
}

/// Where a store looks for the results of earlier fetches, and keeps those of new ones.
package protocol FetchCache: Sendable {
  /// The results that were kept for a signature; nil if there are none, or they are damaged.
  func results(for signature: FetchSignature) -> FetchedIDs?

  /// Keeps the results of a fetch, if that is possible, in place of those of another signature.
  func keep(_ results: FetchedIDs, for signature: FetchSignature)
}

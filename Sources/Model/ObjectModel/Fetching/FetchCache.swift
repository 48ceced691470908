/// All that the results of a fetch depend on: the plan, the model, the rules of the order, and the
/// state of the store.
///
/// Fetches with equal signatures have equal results, in another process too.
public struct FetchSignature: Hashable, Sendable {
  /// The signature as bytes, with nothing left out: it is no digest.
  public let bytes: [UInt8]

  /// Makes a signature; two of different fetches or states must differ.
  public init(bytes: [UInt8]) { self.bytes = bytes }
}

/// Where a store looks for the results of earlier fetches, and keeps those of new ones.
public protocol FetchCache: Sendable {
  /// The results that were kept for a signature; nil if there are none, or they are damaged.
  func results(for signature: FetchSignature) -> FetchedIDs?

  /// Keeps the results of a fetch, if that is possible, in place of those of another signature.
  func keep(_ results: FetchedIDs, for signature: FetchSignature)
}

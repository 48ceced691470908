/// How much of a list has been fetched.
public enum FetchState: Hashable, Sendable {
  /// Nothing was fetched yet.
  case notFetched
  /// The first rows have been fetched; the other rows, counts and sections are being fetched.
  ///
  /// `total` is 0 while the number of rows is unknown.
  case partial(completed: Int, total: Int)
  /// All rows have been fetched.
  case complete
}

/// The progress of a background fetch.
public struct FetchProgress: Hashable, Sendable {
  /// How many rows were read.
  public var completed: Int
  /// How many rows there are; 0 while that is unknown.
  public var total: Int
  /// The reason for the fetch: a request, or a commit of another process.
  public var origin: ChangeOrigin
  /// When the fetch began.
  package var start: ContinuousClock.Instant
}

/// Where a change of a list came from.
public enum ChangeOrigin: Hashable, Sendable {
  /// The context changed.
  case context
  /// A fetch brought more rows, or the request changed.
  case fetch
  /// Another process changed the store.
  case store
}

/// How much of a list is here.
public enum FetchState: Hashable, Sendable {
  /// Nothing was fetched yet.
  case notFetched
  /// The first rows are here; the others, all counts and sections are on their way.
  ///
  /// `total` is 0 while it is not known how many rows there are.
  case partial(completed: Int, total: Int)
  /// The list is whole.
  case complete
}

/// How far a fetch in the background is.
public struct FetchProgress: Hashable, Sendable {
  /// How many rows were read.
  public var completed: Int
  /// How many there are; 0 while that is not known.
  public var total: Int
  /// What the fetch is for: a new request, or a change of the store by another process.
  public var origin: ChangeOrigin
  /// When the fetch began.
  public var start: ContinuousClock.Instant
}

/// A state of the list of a ``FetchedResultsController``, and the change that led to it.
///
/// It is a value: it may be sent to another domain. ``snapshot`` is diffable: the change between any
/// two snapshots is `ResultsChange(from:to:)`.
public struct ResultsUpdate: Sendable {
  /// The list: sections and IDs.
  public var snapshot: ResultsSections
  /// The change from the list of the update before; a reload in the first.
  public var change: ResultsChange
  /// Where the change came from; of several changes in one update, the last one's.
  public var origin: ChangeOrigin

  /// Describes an update.
  public init(snapshot: ResultsSections, change: ResultsChange, origin: ChangeOrigin) {
    (self.snapshot, self.change, self.origin) = (snapshot, change, origin)
  }
}

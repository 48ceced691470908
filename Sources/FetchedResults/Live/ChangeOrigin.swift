/// Where a change of a list came from.
public enum ChangeOrigin: Hashable, Sendable {
  /// Something was changed in the context, by this program.
  case context
  /// A fetch brought more rows, or another question was asked.
  case fetch
  /// The store was changed by another process.
  case store
}

/// Where a change of a list came from.
public enum ChangeOrigin: Hashable, Sendable {
  /// The context changed.
  case context
  /// A fetch brought more rows, or the request changed.
  case fetch
  /// Another process changed the store.
  case store
}

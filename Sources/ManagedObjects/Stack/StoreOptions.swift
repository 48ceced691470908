/// The options with which a ``StackFactory`` opens its store.
public struct StoreOptions: Hashable, Sendable {
  /// Whether the store is opened read-only.
  public var isReadOnly: Bool

  /// Creates options.
  public init(isReadOnly: Bool = false) { self.isReadOnly = isReadOnly }
}

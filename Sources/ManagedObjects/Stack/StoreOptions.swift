/// The options with which a ``StackFactory`` opens its store.
public struct StoreOptions: Hashable, Sendable {
  /// Whether the store is opened read-only.
  public var isReadOnly: Bool

  /// Creates options.
  ///
  /// - Parameter isReadOnly: Whether the store is opened read-only.
  public init(isReadOnly: Bool = false) { self.isReadOnly = isReadOnly }
}

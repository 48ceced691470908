/// How a ``StackFactory`` opens its store.
public struct StoreOptions: Hashable, Sendable {
  /// Whether nothing may be changed.
  public var isReadOnly: Bool

  /// Makes options.
  ///
  /// - Parameter isReadOnly: Whether nothing may be changed.
  public init(isReadOnly: Bool = false) { self.isReadOnly = isReadOnly }
}

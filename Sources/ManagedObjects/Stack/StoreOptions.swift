/// How a ``StackFactory`` opens its store.
public struct StoreOptions: Hashable, Sendable {
  /// Whether a store of an older model is brought up to the new one.
  public var migratesAutomatically: Bool
  /// Whether the way from the old model to the new one is worked out from the two.
  public var infersMapping: Bool
  /// Whether nothing may be changed.
  public var isReadOnly: Bool

  /// Makes options.
  ///
  /// - Parameters:
  ///   - migratesAutomatically: Whether a store of an older model is brought up to the new one.
  ///   - infersMapping: Whether the way there is worked out from the two models.
  ///   - isReadOnly: Whether nothing may be changed.
  public init(
    migratesAutomatically: Bool = true, infersMapping: Bool = true, isReadOnly: Bool = false
  ) {
    self.migratesAutomatically = migratesAutomatically
    self.infersMapping = infersMapping
    self.isReadOnly = isReadOnly
  }
}

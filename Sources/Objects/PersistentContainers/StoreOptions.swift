public import SQLiteStore

/// The options with which a ``PersistentContainer`` opens or creates its store.
public struct StoreOptions: Hashable, Sendable {
  /// Whether the store is opened read-only; then it is not created either.
  public var isReadOnly: Bool
  /// The layout of the tables if the store is created: plain tables, or those of Core Data.
  ///
  /// An existing store keeps its own.
  public var layout: SQLiteStore.CreationLayout

  /// Creates options.
  public init(isReadOnly: Bool = false, layout: SQLiteStore.CreationLayout = .plain) {
    self.isReadOnly = isReadOnly
    self.layout = layout
  }
}

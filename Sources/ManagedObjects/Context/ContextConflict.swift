public import ObjectModel

/// An object with unsaved changes that another context or process changed too.
public struct ContextConflict: Sendable, Hashable {
  /// How to resolve a conflict.
  public enum Resolution: Sendable, Hashable, CaseIterable {
    /// Keeps the unsaved change; the next save overwrites the other one, and leaves what else was
    /// changed there.
    case keepMine
    /// Keeps the whole object as it is here; the next save overwrites what else was changed too.
    case keepMyObject
    /// Discards the unsaved change.
    case takeTheirs
    /// Discards the unsaved change of the properties that were changed there too.
    case keepTheirProperties
  }

  /// The object.
  public var objectID: ObjectID
  /// The names of the properties changed here; empty if it was deleted here.
  public var myKeys: Set<String>
  /// The names of the properties changed in the store; empty if it was deleted there.
  public var theirKeys: Set<String>
  /// Whether the row was deleted from the store.
  public var isGone: Bool
}

public import ObjectModel

/// An object that was changed here, unsaved, and in the store by someone else.
public struct ContextConflict: Sendable, Hashable {
  /// How to end a conflict.
  public enum Resolution: Sendable, Hashable, CaseIterable {
    /// The unsaved change stays and will be written over the other one.
    case keepMine
    /// The unsaved change is dropped.
    case takeTheirs
  }

  /// The object.
  public var objectID: ObjectID
  /// The names of what was changed here; empty when it was deleted here.
  public var myKeys: Set<String>
  /// The names of what was changed in the store; empty when it was deleted there.
  public var theirKeys: Set<String>
  /// Whether the row is gone from the store.
  public var isGone: Bool

  /// Describes a conflict.
  ///
  /// - Parameters:
  ///   - objectID: The object.
  ///   - myKeys: What was changed here.
  ///   - theirKeys: What was changed in the store.
  ///   - isGone: Whether the row is gone from the store.
  public init(objectID: ObjectID, myKeys: Set<String>, theirKeys: Set<String>, isGone: Bool) {
    self.objectID = objectID
    self.myKeys = myKeys
    self.theirKeys = theirKeys
    self.isGone = isGone
  }
}

/// What a save does about conflicts: properties that were changed here, and in the store by another
/// context or process since the object was read, whatever the new values are.
///
/// Changes of different properties are no conflict: they are merged under every policy. A new object
/// with the unique values of one in the store is merged into that one, unless the policy is
/// ``error``: it is another instance of it afterwards, related to what both were related to, and undo
/// cannot go back behind that save. New objects of one entity with the same unique values are merged
/// into the first of them in the same way; under ``mergeByPropertyObjectTrump`` and ``overwrite`` the
/// values of the last one are written, under the other policies those of the first.
/// Core Data calls these policies NSMergePolicy, and has the same names.
public enum MergePolicy: Sendable, Hashable, CaseIterable {
  /// The save throws and writes nothing; ``ManagedObjectContext/conflicts`` has the objects:
  /// NSErrorMergePolicy.
  case error
  /// Of properties that both have changed the store's value is kept. An object whose row was
  /// deleted is dropped, and one deleted here whose row was changed stays. Values of a new object
  /// that is in the store are discarded:
  /// NSMergeByPropertyStoreTrumpMergePolicy.
  case mergeByPropertyStoreTrump
  /// Of properties that both have changed the context's value is written. An object whose row was
  /// deleted is inserted again. Of a new object that is in the store the values that are not null
  /// are written: an upsert. NSMergeByPropertyObjectTrumpMergePolicy.
  case mergeByPropertyObjectTrump
  /// The whole object is written as the context has it, also where only the store has changed it:
  /// NSOverwriteMergePolicy.
  case overwrite
  /// The context's changes of the object are discarded: NSRollbackMergePolicy.
  case rollback

  /// How it resolves a conflict; nil if it does not.
  var resolution: ContextConflict.Resolution? {
    switch self {
    case .error: nil
    case .mergeByPropertyStoreTrump: .keepTheirProperties
    case .mergeByPropertyObjectTrump: .keepMine
    case .overwrite: .keepMyObject
    case .rollback: .takeTheirs
    }
  }
}

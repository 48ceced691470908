/// What a save does about conflicts: changes of the same object here and in the store, by another
/// context or process, since its row was read.
///
/// Changes of different properties are no conflict: they are merged under every policy. Core Data
/// calls these policies NSMergePolicy, and has the same names.
public enum MergePolicy: Sendable, Hashable, CaseIterable {
  /// The save throws and writes nothing; ``ManagedObjectContext/conflicts`` has the objects:
  /// NSErrorMergePolicy.
  case error
  /// Of properties that both have changed the store's value is kept. An object whose row was
  /// deleted is dropped, and one deleted here whose row was changed stays:
  /// NSMergeByPropertyStoreTrumpMergePolicy.
  case mergeByPropertyStoreTrump
  /// Of properties that both have changed the context's value is written. An object whose row was
  /// deleted is inserted again: NSMergeByPropertyObjectTrumpMergePolicy.
  case mergeByPropertyObjectTrump
  /// The whole object is written as the context has it, also where only the store has changed it:
  /// NSOverwriteMergePolicy.
  case overwrite
  /// The context's changes of the object are discarded: NSRollbackMergePolicy.
  case rollback
}

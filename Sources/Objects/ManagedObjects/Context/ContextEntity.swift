import ObjectModel

/// What the objects of one entity in a context have in common.
///
/// An object asks this and not the context, which would be retained for each value that is read.
final class ContextEntity {
  let info: EntityInfo
  /// The context, which is not retained: its objects need not refer to it each.
  private var unretained: Unmanaged<ManagedObjectContext>?

  init(_ info: EntityInfo, of context: ManagedObjectContext) {
    self.info = info
    unretained = .passUnretained(context)
  }

  /// The context; nil once it is deallocated.
  var context: ManagedObjectContext? { unretained?.takeUnretainedValue() }

  /// Forgets the context; its `deinit` calls this.
  func forgetContext() { unretained = nil }

  /// Whether there is a context, and no unsaved change of an object's row in it.
  func isUnchanged(_ id: ObjectID) -> Bool {
    unretained?._withUnsafeGuaranteedRef { !$0.isPending(id) } ?? false
  }

  /// Notes that an instance is deallocated.
  func release(_ instance: ManagedObject, of record: ObjectRecord) {
    unretained?._withUnsafeGuaranteedRef { $0.objects.release(instance, of: record) }
  }
}

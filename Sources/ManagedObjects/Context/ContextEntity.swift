/// What the objects of one entity in a context have in common.
final class ContextEntity {
  let info: EntityInfo
  /// The context; nil once it is deallocated: its `deinit` sets this.
  ///
  /// Its objects need not refer to it each.
  unowned(unsafe) var context: ManagedObjectContext?

  init(_ info: EntityInfo, of context: ManagedObjectContext) {
    self.info = info
    self.context = context
  }
}

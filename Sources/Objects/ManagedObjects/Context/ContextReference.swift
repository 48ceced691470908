/// Leads to a context until that is deallocated.
///
/// Closures that a context keeps itself capture this instead of a weak reference: whatever was once
/// referenced weakly costs more each time that it is retained, and a context is retained for each
/// value that is read.
final class ContextReference {
  /// The context; nil once it is deallocated.
  ///
  /// Its `deinit` sets this.
  unowned(unsafe) var context: ManagedObjectContext?
}

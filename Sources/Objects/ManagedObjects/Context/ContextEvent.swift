/// What observers of a context are notified of.
public enum ContextEvent: Sendable, Hashable {
  /// Changes were processed.
  case changed(ContextChange)
  /// Another process changed the store, and the cached rows were read again.
  ///
  /// The change has cached objects only, and is empty if none of them changed: other rows may have
  /// been inserted, deleted or changed too.
  case refreshed(ContextChange)
  /// A save begins; changes made by the observer are part of it.
  case willSave
  /// A save was written. The change has what was written, with the permanent IDs of inserted
  /// objects.
  case didSave(ContextChange)
  /// The context was reset.
  case reset
}

/// An observation of a context.
///
/// It ends when it is cancelled or deallocated.
public final class ContextObservation {
  private var onCancel: (() -> Void)?

  init(onCancel: @escaping () -> Void) { self.onCancel = onCancel }

  deinit { cancel() }

  /// Ends the observation.
  ///
  /// Later calls do nothing.
  public func cancel() {
    onCancel?()
    onCancel = nil
  }
}

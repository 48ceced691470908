/// What a context tells those who observe it.
public enum ContextEvent: Sendable, Hashable {
  /// Changes were processed.
  case changed(ContextChange)
  /// Another process changed the store, and what is held was read again.
  ///
  /// The change names held objects only, and is empty when none of them changed: rows that are not
  /// held may have come, gone or changed too.
  case refreshed(ContextChange)
  /// A save begins; changes made now are part of it.
  case willSave
  /// A save was written. The change names what was written, with the permanent IDs of inserted objects.
  case didSave(ContextChange)
  /// The context forgot everything.
  case reset
}

/// Keeps an observation of a context alive; ends it when cancelled or let go.
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

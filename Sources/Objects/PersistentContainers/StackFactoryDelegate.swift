/// Is notified of the errors of a ``StackFactory``.
@MainActor
public protocol StackFactoryDelegate: AnyObject {
  /// An error occurred.
  ///
  /// - Parameters:
  ///   - factory: The factory.
  ///   - error: The error, also kept in ``StackFactory/mostRecentError``.
  func stackFactory(_ factory: StackFactory, encounteredError error: any Error)
}

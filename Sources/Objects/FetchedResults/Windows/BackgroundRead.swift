import Foundation
import ObjectModel
import Synchronization

/// A short read of the store on a thread of its own, whose result is kept until it is taken.
final class BackgroundRead<Value: Sendable>: Sendable {
  let control: FetchControl
  private let result = Mutex<Result<Value, any Error>?>(nil)
  private let end = DispatchGroup()

  /// Starts a read.
  ///
  /// - Parameters:
  ///   - control: Cancels it.
  ///   - isUrgent: Whether a person waits for it.
  ///   - wake: Called on the read's thread when it has ended.
  ///   - read: Reads.
  init(
    _ control: FetchControl = FetchControl(), isUrgent: Bool = true,
    wake: @escaping @Sendable () -> Void,
    _ read: @escaping @Sendable (FetchControl) throws -> Value
  ) {
    self.control = control
    end.enter()
    Thread { [self] in
      if !isUrgent { ThreadPriority.lower() }
      let value = Result { try read(control) }
      result.withLock { $0 = value }
      end.leave()
      wake()
    }.start()
  }

  /// Waits for the end, but not longer than a time.
  func wait(milliseconds: Int) { _ = end.wait(timeout: .now() + .milliseconds(milliseconds)) }

  /// The result; nil while there is none.
  func take() -> Result<Value, any Error>? { result.withLock(\.self) }
}

import Dispatch
import Foundation
import ObjectModel
import Synchronization

/// What another thread makes meanwhile, as the rows of pages while others come.
///
/// It has a thread of its own: Dispatch has as many as there are cores, and others wait on these.
final class Coming<Value: Sendable>: Sendable {
  private let result = Mutex<Result<Value, StoreError>?>(nil)
  private let done = DispatchSemaphore(value: 0)

  /// Begins to make it.
  init(_ make: @escaping @Sendable () throws(StoreError) -> Value) {
    Thread.detachNewThread { [self] in
      let value = Result { () throws(StoreError) in try make() }
      result.withLock { $0 = value }
      done.signal()
    }
  }

  /// Waits for it, once.
  func value() throws(StoreError) -> Value? {
    done.wait()
    return try result.withLock { $0 }?.get()
  }
}

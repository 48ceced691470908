import Dispatch
import Foundation
import ObjectModel
import Synchronization

/// The answer to a request, which comes while the page before it is written.
///
/// It has a thread of its own: Dispatch has as many as there are cores, and others wait on these.
final class ComingAnswer: Sendable {
  /// How many saves had been made when it was asked for.
  let stamp: Int
  private let own = FetchControl()
  private let result = Mutex<Result<RESTAnswer?, StoreError>?>(nil)
  private let done = DispatchSemaphore(value: 0)

  /// Asks; `ask` returns nil if nothing has changed.
  init(
    stamp: Int, _ ask: @escaping @Sendable (FetchControl) throws(StoreError) -> RESTAnswer?
  ) {
    self.stamp = stamp
    Thread.detachNewThread { [self] in
      let answer = Result { () throws(StoreError) in try ask(own) }
      result.withLock { $0 = answer }
      done.signal()
    }
  }

  /// Waits for the answer, unless whoever wants it stops that.
  func answer(_ control: FetchControl?) throws(StoreError) -> RESTAnswer? {
    repeat {
      if control?.mustStop == true { throw StoreError(.cancelled, doing: "fetching") }
    } while done.wait(timeout: .now() + 0.05) == .timedOut
    return try result.withLock { $0 }?.get()
  }

  /// Asks no longer, if the answer is not there yet.
  func cancel() { own.cancel() }
}

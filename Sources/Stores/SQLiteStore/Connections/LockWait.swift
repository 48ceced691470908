import Foundation
import ObjectModel
import Synchronization

/// How threads wait for another program's lock: a thread that draws not at all, any other one until
/// its work is cancelled or a time is over.
///
/// It is the busy handler of all connections of a pool, so that there is no other way to wait.
final class LockWait: Sendable {
  /// The control of the fetch that runs on this thread, besides `FetchControl.current`.
  @TaskLocal static var control: FetchControl?

  /// The longest time to wait, in seconds.
  let timeout: Double
  /// When a thread has waited last, in milliseconds of ``now``; far back if none has.
  private let lastWait = Atomic(Int.min / 2)
  private let onWait = Mutex<(@Sendable () -> Void)?>(nil)

  init(timeout: Double) { self.timeout = timeout }

  /// Pauses between the first attempts, in milliseconds.
  ///
  /// They are short, so that whoever watches the work is asked often.
  private static let pauses = [1, 2, 5, 10, 15, 20, 25, 25, 25]
  private static let longestPause = 50
  /// How long a thread waits, in milliseconds, before that is noticed: a commit of another program
  /// takes no longer.
  private static let noticed = 200
  /// How long after its last attempt a thread counts as waiting, in milliseconds.
  private static let memory = 150

  private static let start = ContinuousClock.now
  private static var now: Int { Int(start.duration(to: .now) / .milliseconds(1)) }

  /// Whether this thread may wait, and its work was not cancelled.
  static var mayGoOn: Bool {
    let current = FetchControl.current
    return current?.waits != false && current?.mustStop != true && control?.mustStop != true
  }

  /// Waits before another attempt to take a lock.
  ///
  /// - Parameter attempts: The number of attempts so far, from 0.
  /// - Returns: Whether to try again.
  func goesOn(after attempts: Int) -> Bool {
    let waited =
      Self.pauses.prefix(attempts).reduce(0, +)
      + max(attempts - Self.pauses.count, 0) * Self.longestPause
    guard Double(waited) < timeout * 1_000, Self.mayGoOn else { return false }
    if waited >= Self.noticed { note() }
    let pause = attempts < Self.pauses.count ? Self.pauses[attempts] : Self.longestPause
    Thread.sleep(forTimeInterval: Double(pause) / 1_000)
    return true
  }

  /// Whether a thread waits longer than for a commit.
  var isUnderWay: Bool { Self.now - lastWait.load(ordering: .relaxed) < Self.memory }

  /// Calls a handler on the waiting thread when one is noticed to wait while no other is.
  func observe(_ handler: @escaping @Sendable () -> Void) { onWait.withLock { $0 = handler } }

  private func note() {
    let now = Self.now
    let last = lastWait.exchange(now, ordering: .relaxed)
    if now - last >= Self.memory { onWait.withLock { $0 }?() }
  }

  /// Runs something that fails instead of waiting.
  static func never<Result>(_ body: () throws -> Result) rethrows -> Result {
    try FetchControl.$current.withValue(FetchControl(waits: false), operation: body)
  }

  /// Runs a fetch whose control ends its waiting too.
  static func controlled<Result>(
    by control: FetchControl?, _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    guard let control else { return try body() }
    let result = $control.withValue(control) { () -> Swift.Result<Result, StoreError> in
      do throws(StoreError) { return .success(try body()) } catch { return .failure(error) }
    }
    return try result.get()
  }
}

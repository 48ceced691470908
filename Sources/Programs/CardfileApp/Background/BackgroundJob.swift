import Dispatch
import ObjectModel
import Synchronization
import TerminalApplications
import TerminalKit

/// A closure that runs in the background, and a handler of what it finds.
///
/// Whatever the closure reads from a store is stopped by ``cancel()``.
final class BackgroundJob<Part: Sendable>: BackgroundWork {
  private nonisolated final class Shared: Sendable {
    let state = Mutex((parts: [Part](), hasEnded: false))
    let ended = DispatchSemaphore(value: 0)
    /// Stops what is read without a control, and has the progress of that.
    let reading = FetchControl(isPatient: true)
  }

  private let title: String?
  private let pace = Pace()
  /// Has the progress of the work.
  private let control = FetchControl(isPatient: true)
  private let shared = Shared()
  private let handle: (Part) -> Void

  /// Starts a job.
  ///
  /// - Parameters:
  ///   - title: What the busy line says, as "Exporting"; nil for work that is not shown.
  ///   - total: How much there is to do, if it is known at once.
  ///   - waker: Wakes the event loop, in which results are taken.
  ///   - work: Runs in the background. It reports its progress to the control, and gives what it has
  ///     found, at once or part by part.
  ///   - handle: Handles each part on the main actor.
  init(
    _ title: String? = nil, total: Int = 0, waker: Waker,
    work: @escaping @Sendable (_ control: FetchControl, _ give: (Part) -> Void) -> Void,
    handle: @escaping (Part) -> Void
  ) {
    (self.title, self.handle) = (title, handle)
    control.report(completed: 0, total: total)
    DispatchQueue.global(qos: title == nil ? .utility : .userInitiated).async {
      [shared, control] in
      FetchControl.$current.withValue(shared.reading) {
        work(control) { part in
          shared.state.withLock { $0.parts.append(part) }
          waker.wake()
        }
      }
      shared.state.withLock { $0.hasEnded = true }
      shared.ended.signal()
      waker.wake()
    }
  }

  var isRunning: Bool { shared.state.withLock { !$0.hasEnded } }

  var busyLine: BusyLine? {
    title.map { title in
      let (completed, total) = (control.completed, control.total)
      var line =
        total > 0
        ? BusyLine(title, completed: completed, total: total)
        : BusyLine(title, completed: completed, of: 0)
      line.note = pace.phrase(completed, of: total) ?? ""
      return line
    }
  }

  func takeResults() {
    let parts = shared.state.withLock { state in
      defer { state.parts = [] }
      return state.parts
    }
    for part in parts { handle(part) }
  }

  func cancel() {
    control.cancel()
    shared.reading.cancel()
  }

  /// Cancels it before the program ends, and waits until it has tidied up: a batch of rows, or the
  /// last bytes on their way to the disk.
  func stop() {
    cancel()
    _ = shared.ended.wait(timeout: .now() + .milliseconds(1500))
  }
}

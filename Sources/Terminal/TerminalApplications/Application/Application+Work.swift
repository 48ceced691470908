import ManagedObjects
import ObjectModel
package import TerminalKit

/// Work on the screen's thread that is being watched.
struct WatchedWork {
  /// Milliseconds between two looks at the keyboard.
  static let lookInterval = 40
  /// Milliseconds before progress is shown.
  static let patience = 200

  /// What is done, for the status line; nil if it should take no time.
  let title: String?
  /// Whether Esc and Ctrl-C cancel it.
  let canCancel: Bool
  let started: Int
  /// When the keyboard was last looked at.
  var looked: Int
  let control: FetchControl
}

extension Application {
  /// Does work that Esc, Ctrl-C and the signals that end the program can stop; progress is shown if
  /// it takes long.
  ///
  /// Each read and save on this thread throws a `StoreError` with the reason `cancelled` then.
  ///
  /// - Parameters:
  ///   - title: What is done, such as "Saving", before which the screen is drawn, unless it is a part
  ///     of other work; nil for what should take no time.
  ///   - canCancel: Whether it can be stopped; if not, its progress is shown.
  ///   - body: The work.
  /// - Returns: What the work returns.
  /// - Throws: What the work throws.
  package func work<Result>(
    _ title: String? = nil, canCancel: Bool = true, _ body: () throws -> Result
  ) rethrows -> Result {
    if title != nil, watchedWork?.title == nil { draw() }
    // This thread draws: it does not wait for locks. What cannot be read is tried again later.
    let control = FetchControl(isPatient: title != nil, waits: false) { [weak self] in
      // The control is the current one of this thread alone.
      MainActor.assumeIsolated { self?.watchKeyboard() }
    }
    let outer = watchedWork
    watchedWork = WatchedWork(
      title: title, canCancel: canCancel, started: clock(), looked: clock(), control: control)
    defer {
      watchedWork = outer
      // The key that has cancelled it is no command.
      if control.isCancelled { terminal.flushTypeAhead() }
    }
    return try FetchControl.$current.withValue(control, operation: body)
  }

  /// Looks whether the work is to be cancelled, and shows its progress.
  private func watchKeyboard() {
    let now = clock()
    guard let work = watchedWork, now - work.looked >= WatchedWork.lookInterval else { return }
    watchedWork?.looked = now
    if work.canCancel, terminal.isStopRequested() { work.control.cancel() }
    guard now - work.started >= WatchedWork.patience, var canvas = shown else { return }
    let line = max(canvas.height - (canvas.height >= 8 ? 2 : 1), 0)
    let busy = BusyLine(
      work.title ?? "Reading", completed: work.control.completed, of: work.control.total,
      canCancel: work.canCancel)
    canvas.fill(Rect(x: 0, y: line, width: canvas.width, height: 1))
    busy.draw(in: &canvas, y: line, at: now)
    terminal.show(canvas, cursor: nil)
  }

  /// Whether an error says that the work was cancelled.
  package func isCancellation(_ error: any Error) -> Bool {
    error.storeError?.reason == .cancelled
  }
}

/// Work in the background: rows that are fetched or looked for, a file that is written.
@MainActor
package protocol BackgroundWork: AnyObject {
  /// Whether it is under way.
  var isRunning: Bool { get }
  /// Its progress, while it is so long under way, or so much waited for, that it is shown; Esc then
  /// cancels it.
  var busyLine: BusyLine? { get }
  /// Hands on what was found so far, on the main actor.
  func takeResults()
  /// Stops it; what was found so far stays.
  func cancel()
}

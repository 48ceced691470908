import Dispatch
import Foundation
import ObjectModel

/// The progress of a command's work, in a line on standard error if that is a terminal.
enum ProgressLine {
  /// Runs work that reports to the control of the thread.
  ///
  /// - Parameters:
  ///   - doing: The work, as `migrating`.
  ///   - work: The work.
  /// - Returns: What the work returns.
  /// - Throws: What the work throws.
  static func showing<Result, Failure: Error>(
    _ doing: String, _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard isatty(STDERR_FILENO) == 1, let control = FetchControl.current else { return try work() }
    let timer = DispatchSource.makeTimerSource()
    timer.setEventHandler {
      let (completed, total) = (control.completed, control.total)
      guard total > 0 else { return }
      write("\r\(doing): \(Value.grouped(completed)) of \(Value.grouped(total)) rows")
    }
    timer.schedule(deadline: .now() + 0.5, repeating: 0.2)
    timer.resume()
    defer {
      timer.cancel()
      write("\r\u{1B}[K")
    }
    return try work()
  }

  private static func write(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }
}

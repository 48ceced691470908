package import TerminalKit

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

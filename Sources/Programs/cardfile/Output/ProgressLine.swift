import Dispatch
import Foundation
import ObjectModel
import Synchronization
import TerminalKit
import Transfers

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
    guard let control = FetchControl.current else { return try work() }
    return try showing(
      {
        let (completed, total) = (control.completed, control.total)
        return total > 0
          ? "\(doing): \(Value.grouped(completed)) of \(Value.grouped(total)) rows" : nil
      }, while: work)
  }

  /// Runs work while a line is shown that a closure makes again and again; it returns nil for none.
  static func showing<Result, Failure: Error>(
    _ line: @escaping @Sendable () -> String?, while work: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard isatty(STDERR_FILENO) == 1 else { return try work() }
    let timer = DispatchSource.makeTimerSource()
    timer.setEventHandler { if let line = line() { write("\r\(line)\u{1B}[K") } }
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

/// The progress of a transfer: records that are read, objects that are written.
final class TransferPace: Sendable {
  private let pace = Pace()
  private let progress = Mutex(Importer.Progress())
  /// What is counted, as "records".
  private let unit: String

  init(_ unit: String) { self.unit = unit }

  /// Notes how far the work has come.
  func note(_ progress: Importer.Progress) { self.progress.withLock { $0 = progress } }

  /// The line: `120,000 records, 41 %, 55,000 a second, 3 s left`.
  var line: String? {
    let done = progress.withLock { $0 }
    guard done.records > 0 else { return nil }
    let share = done.size.map { "\(min(100, done.position * 100 / max($0, 1))) %" }
    return [
      "\(Value.grouped(done.records)) \(unit)", share,
      pace.phrase(done.records, of: done.estimatedTotal),
    ].compactMap(\.self).joined(separator: ", ")
  }
}

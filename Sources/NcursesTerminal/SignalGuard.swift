import CNcurses
import Glibc

/// Turns signals into events and gives the terminal back on every way out.
///
/// Signals that ask for something are written to a pipe by their number, which the loop polls.
/// Signals of a crash restore the terminal at once and go on to whoever handled them before.
/// All functions of the shim that keep state are called from this file only.
struct SignalGuard {
  /// The end of the pipe to poll.
  let readEnd: Int32
  /// The end of the pipe that wakes the loop when a byte is written.
  let writeEnd: Int32

  private static let watched = [SIGWINCH, SIGTERM, SIGHUP, SIGINT, SIGTSTP, SIGCONT]
  private static let crashes = [SIGSEGV, SIGABRT, SIGILL, SIGTRAP, SIGBUS, SIGFPE]

  /// Keeps the terminal's modes; call it before anything changes them.
  init() throws(TerminalError) {
    guard cn_guard_keep_modes() == 0 else {
      throw TerminalError(reason: .system(call: "tcgetattr", code: errno))
    }
    var ends: [Int32] = [0, 0]
    guard cn_pipe(&ends) == 0 else {
      throw TerminalError(reason: .system(call: "pipe", code: errno))
    }
    (readEnd, writeEnd) = (ends[0], ends[1])
  }

  /// From now on signals arrive in the pipe, and every way out writes these bytes.
  func arm(rescue bytes: [UInt8]) {
    bytes.withUnsafeBytes { buffer in
      cn_guard_arm(writeEnd, buffer.baseAddress, buffer.count)
    }
    for number in Self.watched { cn_guard_watch(number) }
    for number in Self.crashes { cn_guard_catch(number) }
  }

  /// Puts the former handlers and modes back.
  ///
  /// The pipe stays open: another thread may wake once more, and its byte must not land in a file
  /// that got the same number.
  func disarm() {
    cn_guard_disarm()
    for number in Self.watched + Self.crashes { cn_guard_release(number) }
    cn_guard_restore_modes()
  }

  /// Stops the process and its group until the person returns.
  func stop() {
    cn_guard_restore_modes()
    cn_guard_stop()
  }

  /// Takes what was written to the pipe: numbers of signals, and 0 for a call to wake.
  func take() -> [Int32] {
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(readEnd, &bytes, bytes.count)
    return count > 0 ? bytes[..<count].map { Int32($0) } : []
  }
}

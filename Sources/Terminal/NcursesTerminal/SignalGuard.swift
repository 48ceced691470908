import CNcurses
import CSignals
import Glibc

/// Turns signals into events and restores the terminal however the program ends.
///
/// Signals such as SIGWINCH write their number to a pipe that the event loop polls. All others that
/// end a process restore the terminal and end the program at once.
struct SignalGuard {
  /// The end of the pipe that the event loop polls.
  let readEnd: Int32
  /// The end of the pipe that wakes the event loop if a byte is written to it.
  let writeEnd: Int32

  private static let watched = [SIGWINCH, SIGTERM, SIGHUP, SIGINT, SIGTSTP, SIGCONT]
  /// Every other signal that ends a process or writes a core dump.
  private static let crashes = {
    let harmless = [SIGKILL, SIGSTOP, SIGCHLD, SIGURG, SIGTTIN, SIGTTOU]
    return (1...cn_guard_last_signal()).filter { !(watched + harmless).contains($0) }
  }()

  /// Saves the terminal's modes and creates the pipe; call it before anything changes the modes.
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

  /// Installs the signal handlers; however the program ends, `bytes` restore the terminal.
  ///
  /// - Parameter bytes: Escape sequences to write to the terminal, 512 bytes at most.
  func arm(restoring bytes: [UInt8]) {
    bytes.withUnsafeBytes { buffer in
      cn_guard_arm(writeEnd, buffer.baseAddress, buffer.count, endwin)
    }
    for number in Self.watched { cn_guard_watch(number) }
    for number in Self.crashes { cn_guard_catch(number) }
  }

  /// Restores the previous signal handlers and, unless a shell has the terminal, its modes.
  ///
  /// The pipe stays open: another thread may still write to it, and its file descriptor must not
  /// be reused for another file until then.
  func disarm(hasTerminal: Bool) {
    cn_guard_disarm()
    for number in Self.watched + Self.crashes { cn_guard_release(number) }
    if hasTerminal { cn_guard_restore_modes() }
  }

  /// Stops the process group, as Ctrl-Z does, and returns when it is resumed.
  ///
  /// - Returns: The signal that ends the program, which a shell sends with `kill %1` before it
  ///   continues it in the background; nil if it goes on.
  func stop() -> Int32? {
    cn_guard_restore_modes()
    cn_guard_stop()
    guard cn_guard_has_terminal() == 0 else { return nil }
    // Another thread may be handling it.
    usleep(50_000)
    return cn_guard_ending() == 0 ? nil : cn_guard_ending()
  }

  /// Runs a program in the terminal's own modes and waits until it ends.
  ///
  /// - Returns: Its exit status; 128 plus the number of the signal that ended it, 127 if it cannot
  ///   be started.
  func run(_ command: [String]) -> Int32 {
    var arguments = command.map { strdup($0) } + [nil]
    defer { arguments.forEach { free($0) } }
    return cn_guard_run(&arguments)
  }

  /// Reads the pipe without waiting: signal numbers, and 0 for a call to ``Waker/wake()``.
  func read() -> [Int32] {
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = Glibc.read(readEnd, &bytes, bytes.count)
    return count > 0 ? bytes[..<count].map { Int32($0) } : []
  }
}

/// An error that prevents the use of the terminal.
package struct TerminalError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reasons why a terminal cannot be used.
  package enum Reason: Hashable, Sendable {
    /// Standard input or output is a file or a pipe; the value names which.
    case notATerminal(String)
    /// The environment variable `TERM` is not set or empty.
    case termNotSet
    /// Terminfo has no entry for this value of `TERM`.
    case unknownType(String)
    /// Terminfo has no `cup` capability for this value of `TERM`: the cursor cannot be moved.
    case noCursorAddressing(String)
    /// A system call failed with this `errno`.
    case system(call: String, code: Int32)
  }

  /// The reason.
  package let reason: Reason

  /// The message for the person: the reason and a remedy, in one line.
  package nonisolated var description: String {
    switch reason {
    case .notATerminal(let stream):
      "\(stream) is not a terminal. Start the program in a terminal, without a pipe or a file."
    case .termNotSet:
      "The terminal type (TERM) is not set. Try: TERM=xterm-256color"
    case .unknownType(let type):
      "The terminal type (TERM) “\(type)” is unknown on this system. Try: TERM=xterm-256color"
    case .noCursorAddressing(let type):
      "The terminal type (TERM) “\(type)” cannot move the cursor. "
        + "Start the program in a full terminal, or try: TERM=xterm-256color"
    case .system(let call, let code):
      "The terminal cannot be set up: \(call) failed with error \(code) (errno). "
        + "Try another terminal window."
    }
  }
}

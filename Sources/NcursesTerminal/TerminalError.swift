/// Why a terminal cannot be used.
///
/// Its description says what is wrong and how to mend it, in one line.
public struct TerminalError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong.
  public enum Reason: Hashable, Sendable {
    /// Standard input or output is a file or a pipe.
    case notATerminal(String)
    /// The terminal's kind is not set.
    case noKind
    /// There is no description for this kind.
    case unknownKind(String)
    /// The cursor of this kind cannot be moved.
    case immobileCursor(String)
    /// A call of the system failed.
    case system(call: String, code: Int32)
  }

  /// What is wrong.
  public let reason: Reason

  /// The sentence for the person.
  public nonisolated var description: String {
    switch reason {
    case .notATerminal(let stream):
      "\(stream) is not a terminal. Start the program in a terminal, without a pipe or a file."
    case .noKind:
      "The kind of the terminal (TERM) is not set. Try: TERM=xterm-256color"
    case .unknownKind(let kind):
      "The kind of the terminal (TERM), “\(kind)”, is not known here. Try: TERM=xterm-256color"
    case .immobileCursor(let kind):
      "The kind of the terminal (TERM), “\(kind)”, cannot move its cursor. "
        + "Start the program in a full terminal, or try: TERM=xterm-256color"
    case .system(let call, let code):
      "The terminal cannot be set up: \(call) failed with error \(code)."
    }
  }
}

import TerminalKit

/// What the status line says until the next key.
struct Message: Hashable {
  var text: String
  var severity: StatusLine.Severity = .message

  /// Says that something was done.
  static func done(_ text: String) -> Message { Message(text: text) }
  /// Says that something failed or cannot be done.
  static func failed(_ text: String) -> Message { Message(text: text, severity: .error) }
}

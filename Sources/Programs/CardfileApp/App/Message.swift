import TerminalKit

/// The text of the status line until the next key.
struct Message: Hashable {
  var text: String
  var severity: StatusLine.Severity = .message

  /// A message that something was done.
  static func done(_ text: String) -> Message { Message(text: text) }
  /// A message that something failed or cannot be done.
  static func failed(_ text: String) -> Message { Message(text: text, severity: .error) }
}

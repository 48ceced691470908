package import TerminalKit

/// The text of the status line until the next key.
package struct Message: Hashable {
  package var text: String
  package var severity: StatusLine.Severity = .message

  /// A message that something was done.
  package static func done(_ text: String) -> Message { Message(text: text) }
  /// A message that something failed or cannot be done.
  package static func failed(_ text: String) -> Message { Message(text: text, severity: .error) }
}

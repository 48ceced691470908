import Foundation
import TerminalApplications
import TerminalKit

/// Where copied texts go: the clipboard of the terminal, and a clipboard tool where there is one.
final class Clipboard {
  private let terminal: any Terminal
  private let tool: (@Sendable (String) -> String?)?

  /// Makes a clipboard; the tool copies a text and returns its name, or nil if there is none.
  init(_ terminal: any Terminal, tool: (@Sendable (String) -> String?)?) {
    self.terminal = terminal
    self.tool = tool
  }

  /// Copies a text and says what was done; `what` names it, as "cell" or "3 rows".
  func copy(_ text: String, what: String) -> Message {
    guard !text.isEmpty else { return .done("\(what) is empty: nothing copied") }
    let isShort = text.utf8.count <= longestTerminalCopy
    let isSent = isShort && terminal.copy(text)
    let name = tool?(text)
    let size = counted(text.utf8.count, "byte")
    let ways = [isSent ? "the terminal" : nil, name].compactMap(\.self).joined(separator: " and ")
    if !ways.isEmpty { return .done("Copied \(what), \(size), by \(ways)") }
    return .failed(
      isShort
        ? "Nothing copied: this terminal has no clipboard and there is no clipboard tool"
        : "Nothing copied: \(size) is too much for a terminal: write it to a file (:export)")
  }
}

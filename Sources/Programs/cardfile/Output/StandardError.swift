import Foundation
import TerminalKit

/// Writes a line to standard error, ignoring errors; control characters are shown as signs.
///
/// The global variable `stderr` cannot be used: it is not concurrency-safe in Swift 6.
func writeToStandardError(_ text: String) {
  try? FileHandle.standardError.write(contentsOf: Data((Signs.unicode.visible(text) + "\n").utf8))
}

/// Writes notes about how a store or a model was read to standard error, one line each.
func writeNotes(_ notes: [String]) {
  for note in notes { writeToStandardError("cardfile: note: \(note)") }
}

import Foundation
import TerminalKit

/// Writes a line to standard error; `stderr` itself is shared mutable state that Swift 6 does not hand out.
func writeToStandardError(_ text: String) {
  try? FileHandle.standardError.write(contentsOf: Data((text + "\n").utf8))
}

/// Tells on standard error what a person should know of how something was read, a sentence each.
func tell(_ notes: [String]) {
  for note in notes { writeToStandardError("cardfile: note: \(Signs.unicode.visible(note))") }
}

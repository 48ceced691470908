import Foundation
import TerminalKit

/// Output as a terminal may get it.
enum TerminalText {
  /// The lines of UTF-8 text, each with signs for what a terminal would obey, and unchanged line
  /// ends.
  static func visible(_ bytes: [UInt8]) -> String {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    return lines.map { line in
      // CSV ends its lines with CR LF.
      let isCRLF = line.last == UInt8(ascii: "\r") && line.endIndex < bytes.endIndex
      let text = String(decoding: isCRLF ? line.dropLast() : line, as: UTF8.self)
      return Signs.unicode.visible(text) + (isCRLF ? "\r" : "")
    }.joined(separator: "\n")
  }
}

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

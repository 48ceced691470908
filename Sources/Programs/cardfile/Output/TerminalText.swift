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

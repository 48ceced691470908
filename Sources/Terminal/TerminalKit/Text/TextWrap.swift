/// Breaks text into lines of a width, between words where possible.
package enum TextWrap {
  /// Breaks a text into lines; its own line breaks are kept.
  ///
  /// If there are more lines than the limit, the last line shows the size of the whole text.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - columns: The width.
  ///   - limit: The most lines.
  ///   - signs: The signs of the terminal.
  ///   - indent: The number of columns before all lines of a paragraph but its first.
  /// - Returns: The lines; one that is empty for an empty text.
  package static func lines(
    _ text: String, columns: Int, limit: Int, signs: Signs, hangingIndent indent: Int = 0
  ) -> [String] {
    let columns = max(columns, 1)
    var lines: [String] = []
    for paragraph in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      lines += wrap(
        paragraph, columns: columns, limit: limit + 1 - lines.count, signs: signs,
        margin: String(repeating: " ", count: min(indent, columns - 1)))
      guard lines.count <= limit else {
        lines = Array(lines.prefix(max(limit - 1, 0)))
        lines.append("\(signs.ellipsis) \(groupedDigits(text.utf8.count)) bytes in all")
        break
      }
    }
    return lines
  }

  private static func wrap(
    _ text: Substring, columns: Int, limit: Int, signs: Signs, margin: String
  ) -> [String] {
    var lines: [String] = []
    var line = ""
    var width = 0
    func begin(_ rest: String = "", width restWidth: Int = 0) {
      (line, width) = (margin + rest, margin.utf8.count + restWidth)
    }
    /// The last position where the line can be broken, and the width up to there.
    var gap: (index: String.Index, width: Int)?
    for character in text {
      // A control character is shown by more than one column.
      let shown = signs.visible(String(character))
      let columnsOfThis = displayWidth(of: shown)
      var isSkipped = false
      while width + columnsOfThis > columns, width > (lines.isEmpty ? 0 : margin.utf8.count) {
        isSkipped = character == " "
        if !isSkipped, let lastGap = gap, margin.utf8.count + width - lastGap.width <= columns {
          lines.append(String(line[..<lastGap.index]))
          begin(String(line[lastGap.index...]), width: width - lastGap.width)
        } else {
          lines.append(line)
          begin()
        }
        gap = nil
        if lines.count >= limit { return lines }
      }
      // Where columns of a table were, a further line does not begin with their gap.
      let isGap = character == " " && !margin.isEmpty && line == margin && !lines.isEmpty
      if isSkipped || isGap { continue }
      line += shown
      width += columnsOfThis
      if character == " " || character == "-" || character == "/" {
        gap = (line.endIndex, width)
      }
    }
    lines.append(line)
    return lines
  }
}

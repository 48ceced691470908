/// Breaks text into lines of a width, between words where possible.
package enum TextWrap {
  /// Breaks a text into lines; its own line breaks are kept.
  ///
  /// If there are more lines than the limit, the last line shows the size of the whole text.
  package static func lines(
    _ text: String, columns: Int, limit: Int, signs: Signs
  ) -> [String] {
    let columns = max(columns, 1)
    var lines: [String] = []
    for paragraph in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      lines += wrap(paragraph, columns: columns, limit: limit + 1 - lines.count, signs: signs)
      guard lines.count <= limit else {
        lines = Array(lines.prefix(max(limit - 1, 0)))
        lines.append("\(signs.ellipsis) \(groupedDigits(text.utf8.count)) bytes in all")
        break
      }
    }
    return lines
  }

  private static func wrap(
    _ text: Substring, columns: Int, limit: Int, signs: Signs
  ) -> [String] {
    var lines: [String] = []
    var line = ""
    var width = 0
    /// The last position where the line can be broken, and the width up to there.
    var gap: (index: String.Index, width: Int)?
    for character in text {
      // A control character is shown by more than one column.
      let shown = signs.visible(String(character))
      let columnsOfThis = displayWidth(of: shown)
      if width + columnsOfThis > columns, !line.isEmpty {
        if character == " " {
          lines.append(line)
          (line, width, gap) = ("", 0, nil)
          if lines.count >= limit { return lines }
          continue
        }
        let rest: String
        if let place = gap {
          rest = String(line[place.index...])
          lines.append(String(line[..<place.index]))
          width -= place.width
        } else {
          rest = ""
          lines.append(line)
          width = 0
        }
        (line, gap) = (rest, nil)
        if lines.count >= limit { return lines }
      }
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

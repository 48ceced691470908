extension Signs {
  /// Returns text truncated to a width, ending in an ellipsis if it was too long.
  ///
  /// Graphemes are never split: if only half of a wide one fits, the result is a column narrower.
  ///
  /// - Parameters:
  ///   - text: Any text; ``visible(_:columns:)`` replaces control characters.
  ///   - columns: The greatest width of the result; 0 or less returns an empty string.
  /// - Returns: Text at most `columns` wide; empty if not even the ellipsis fits.
  package func cut(_ text: some StringProtocol, to columns: Int) -> String {
    guard columns > 0 else { return "" }
    let (look, isHuge) = columns.addingReportingOverflow(1)
    let safe = visible(text, columns: isHuge ? columns : look)
    if displayWidth(of: safe) <= columns { return safe }
    let room = columns - displayWidth(of: ellipsis)
    guard room >= 0 else { return "" }
    var width = 0
    var end = safe.startIndex
    while end < safe.endIndex {
      width += displayWidth(of: safe[end])
      if width > room { break }
      end = safe.index(after: end)
    }
    return safe[..<end] + ellipsis
  }

  /// Returns text truncated or padded with spaces to an exact width.
  ///
  /// - Parameters:
  ///   - text: Any text; ``visible(_:columns:)`` replaces control characters.
  ///   - columns: The width of the result; 0 or less returns an empty string.
  ///   - alignment: How shorter text is aligned.
  /// - Returns: Text exactly `columns` wide.
  package func fit(
    _ text: some StringProtocol, to columns: Int, alignment: TextAlignment = .left
  ) -> String {
    let short = cut(text, to: columns)
    let room = max(columns, 0) - displayWidth(of: short)
    guard room > 0 else { return short }
    let before =
      switch alignment {
      case .left: 0
      case .right: room
      case .center: room / 2
      }
    return String(repeating: " ", count: before) + short
      + String(repeating: " ", count: room - before)
  }
}

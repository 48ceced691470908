extension Signs {
  /// Text made safe and cut to a width, with an ellipsis where something is missing.
  ///
  /// A grapheme is never broken: where half of a wide one would fit, the result is a column short.
  ///
  /// - Parameters:
  ///   - text: Any text; see ``visible(_:columns:)``.
  ///   - columns: The width; 0 or less gives nothing.
  /// - Returns: At most that many columns.
  public func cut(_ text: some StringProtocol, to columns: Int) -> String {
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

  /// Text made safe, cut where it is too long and filled with spaces where it is too short.
  ///
  /// - Parameters:
  ///   - text: Any text; see ``visible(_:columns:)``.
  ///   - columns: The width; 0 or less gives nothing.
  ///   - alignment: Where the text stands among the spaces.
  /// - Returns: Exactly that many columns.
  public func fit(
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

extension Canvas {
  /// Writes text on a line.
  ///
  /// - Parameters:
  ///   - text: Any text; it is made safe by ``Signs/visible(_:columns:)``.
  ///   - x: The column of the part being drawn.
  ///   - y: The line of the part being drawn.
  ///   - style: Its look.
  ///   - limit: The most columns to use; what exceeds it, or the part, is cut off without a sign.
  /// - Returns: The columns that were used.
  @discardableResult
  public mutating func put(
    _ text: some StringProtocol, x: Int, y: Int, style: Style = .plain, limit: Int = .max
  ) -> Int {
    let room = min(limit, width - x)
    guard y >= 0, y < height, room > 0 else { return 0 }
    return write(signs.visible(text, columns: room), x: x, y: y, style: style, room: room)
  }

  /// Writes text into a field: cut with an ellipsis where too long, filled with spaces where short.
  ///
  /// - Parameters:
  ///   - text: Any text; it is made safe by ``Signs/visible(_:columns:)``.
  ///   - x: The column of the part being drawn.
  ///   - y: The line of the part being drawn.
  ///   - columns: The width of the field; never more than the part has.
  ///   - alignment: Where the text stands in the field.
  ///   - style: Its look.
  public mutating func putField(
    _ text: some StringProtocol, x: Int, y: Int, columns: Int, alignment: TextAlignment = .left,
    style: Style = .plain
  ) {
    let room = min(columns, width - x)
    guard y >= 0, y < height, room > 0 else { return }
    let field = signs.fit(text, to: room, alignment: alignment)
    _ = write(field, x: x, y: y, style: style, room: room)
  }

  /// Fills a rectangle with one character of one column.
  public mutating func fill(_ rect: Rect, with character: Character = " ", style: Style = .plain) {
    guard displayWidth(of: character) == 1 else { return }
    let area = Rect(x: 0, y: 0, width: width, height: height).intersection(rect)
    let cell = CanvasCell(character: character, style: style)
    for y in area.minY..<area.maxY {
      openRun(x: area.minX, y: y, columns: area.size.width)
      let start = (part.minY + y) * bounds.width + part.minX
      for x in area.minX..<area.maxX { cells[start + x] = cell }
    }
  }

  /// Lays a style over what is drawn already; see ``Style/overlaid(by:)``.
  public mutating func overlay(_ rect: Rect, style: Style) {
    let area = Rect(x: 0, y: 0, width: width, height: height).intersection(rect)
    for y in area.minY..<area.maxY {
      let line = (part.minY + y) * bounds.width + part.minX
      for x in area.minX..<area.maxX {
        cells[line + x].style = cells[line + x].style.overlaid(by: style)
      }
    }
  }

  /// Draws a rule from left to right.
  public mutating func rule(x: Int, y: Int, columns: Int, style: Style = .plain) {
    let line = Rect(x: x, y: y, width: columns, height: 1)
    fill(line, with: Character(signs.horizontal), style: style)
  }

  /// Draws the frame of a box and clears what is inside.
  ///
  /// - Parameters:
  ///   - rect: The outer edge; at least 2×2, or nothing is drawn.
  ///   - title: Stands in the upper edge; nil or empty for none.
  ///   - style: The look of the frame.
  public mutating func box(_ rect: Rect, title: String? = nil, style: Style = .plain) {
    guard rect.size.width >= 2, rect.size.height >= 2 else { return }
    fill(rect)
    let (right, bottom) = (rect.maxX - 1, rect.maxY - 1)
    for y in [rect.minY, bottom] {
      rule(x: rect.minX, y: y, columns: rect.size.width, style: style)
    }
    for y in (rect.minY + 1)..<bottom {
      for x in [rect.minX, right] { put(signs.vertical, x: x, y: y, style: style) }
    }
    let corners = [
      Point(x: rect.minX, y: rect.minY), Point(x: right, y: rect.minY),
      Point(x: rect.minX, y: bottom), Point(x: right, y: bottom),
    ]
    for (corner, sign) in zip(corners, signs.corners) {
      put(sign, x: corner.x, y: corner.y, style: style)
    }
    if let title, !title.isEmpty, rect.size.width > 6 {
      let text = " " + signs.cut(title, to: rect.size.width - 6) + " "
      put(text, x: rect.minX + 2, y: rect.minY, style: style.overlaid(by: Style(.bold)))
    }
  }
}

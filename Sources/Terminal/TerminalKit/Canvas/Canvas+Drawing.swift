extension Canvas {
  /// Writes text on a line.
  ///
  /// - Parameters:
  ///   - text: Any text; `Signs.visible(_:columns:)` replaces control characters.
  ///   - x: The first column, relative to the viewport.
  ///   - y: The line, relative to the viewport.
  ///   - style: The style of every cell written.
  ///   - limit: The most columns to use. Text beyond it, or beyond the viewport, is cut off
  ///     without an ellipsis.
  /// - Returns: The number of columns written.
  @discardableResult
  public mutating func put(
    _ text: some StringProtocol, x: Int, y: Int, style: Style = .plain, limit: Int = .max
  ) -> Int {
    let room = min(limit, width - x)
    guard y >= 0, y < height, room > 0 else { return 0 }
    return write(signs.visible(text, columns: room), x: x, y: y, style: style, room: room)
  }

  /// Writes text into a field of fixed width: longer text ends in an ellipsis, shorter text is
  /// padded with spaces.
  ///
  /// - Parameters:
  ///   - text: Any text; `Signs.visible(_:columns:)` replaces control characters.
  ///   - x: The first column, relative to the viewport.
  ///   - y: The line, relative to the viewport.
  ///   - columns: The width of the field; clipped at the viewport's right edge.
  ///   - alignment: How shorter text is aligned in the field.
  ///   - style: The style of every cell of the field.
  package mutating func putField(
    _ text: some StringProtocol, x: Int, y: Int, columns: Int, alignment: TextAlignment = .left,
    style: Style = .plain
  ) {
    let room = min(columns, width - x)
    guard y >= 0, y < height, room > 0 else { return }
    let field = signs.fit(text, to: room, alignment: alignment)
    _ = write(field, x: x, y: y, style: style, room: room)
  }

  /// Fills a rectangle with a character; does nothing if the character is not one column wide.
  public mutating func fill(_ rect: Rect, with character: Character = " ", style: Style = .plain) {
    guard displayWidth(of: character) == 1 else { return }
    let area = Rect(x: 0, y: 0, width: width, height: height).intersection(rect)
    let cell = CanvasCell(character: character, style: style)
    for y in area.minY..<area.maxY {
      openRun(x: area.minX, y: y, columns: area.size.width)
      let start = (viewport.minY + y) * bounds.width + viewport.minX
      for x in area.minX..<area.maxX { cells[start + x] = cell }
    }
  }

  /// Applies a style on top of the cells already drawn in a rectangle; see ``Style/overlaid(by:)``.
  package mutating func overlay(_ rect: Rect, style: Style) {
    let area = Rect(x: 0, y: 0, width: width, height: height).intersection(rect)
    for y in area.minY..<area.maxY {
      let line = (viewport.minY + y) * bounds.width + viewport.minX
      for x in area.minX..<area.maxX {
        cells[line + x].style = cells[line + x].style.overlaid(by: style)
      }
    }
  }

  /// Draws a horizontal line.
  public mutating func rule(x: Int, y: Int, columns: Int, style: Style = .plain) {
    let line = Rect(x: x, y: y, width: columns, height: 1)
    fill(line, with: Character(signs.horizontal), style: style)
  }

  /// Draws a frame and clears its inside.
  ///
  /// - Parameters:
  ///   - rect: The outer edge; nothing is drawn if it is smaller than 2×2.
  ///   - title: Drawn in the top edge if the frame is wider than 6 columns; nil or empty for none.
  ///   - style: The style of the frame; the title is bold on top of it.
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

  /// Draws a framed box in the middle of the viewport, then its contents inside the frame.
  ///
  /// - Parameters:
  ///   - width: The outer width; must not exceed the viewport's.
  ///   - height: The outer height; must not exceed the viewport's.
  ///   - title: Drawn in the top edge.
  ///   - drawContents: Draws with the inside of the frame as the viewport.
  /// - Returns: The value that `drawContents` returns.
  package mutating func withinCenteredBox<Result>(
    width: Int, height: Int, title: String, drawContents: (inout Canvas) -> Result
  ) -> Result {
    let (x, y) = ((self.width - width) / 2, (self.height - height) / 2)
    box(Rect(x: x, y: y, width: width, height: height), title: title, style: theme.frame)
    return within(
      Rect(x: x + 1, y: y + 1, width: width - 2, height: height - 2), drawContents)
  }
}

/// The alignment of text in a wider field.
public enum TextAlignment: Hashable, Sendable {
  /// Aligned left; the default.
  case left
  /// Aligned right, for numbers.
  case right
  /// Centred; an odd space goes to the right.
  case center
}

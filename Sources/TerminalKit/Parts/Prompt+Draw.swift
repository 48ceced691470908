extension Prompt {
  /// Draws the prompt on a line, scrolled so that the cursor can be seen.
  ///
  /// - Parameters:
  ///   - canvas: Where to draw.
  ///   - y: The line.
  ///   - style: The look of the text.
  /// - Returns: The place of the cursor on the screen, for the hardware cursor.
  @discardableResult
  public func draw(in canvas: inout Canvas, y: Int, style: Style = .plain) -> Point {
    canvas.fill(Rect(x: 0, y: y, width: canvas.width, height: 1), style: style)
    let signs = canvas.signs
    let start = canvas.put(
      labelText(in: canvas), x: 0, y: y, style: style.overlaid(by: canvas.theme.hintKey))
    let room = max(canvas.width - start - 1, 0)
    let first = firstShown(room: room, signs: signs)
    var x = start
    for character in characters[first..<cursor] {
      x += canvas.put(String(character), x: x, y: y, style: style)
    }
    let point = Point(
      x: canvas.part.minX + min(x, max(canvas.width - 1, 0)), y: canvas.part.minY + y)
    // What is beyond the edge is not looked at.
    let rest = String(characters[cursor...].prefix(max(canvas.width, 0)))
    canvas.put(rest, x: x, y: y, style: style)
    if first > 0, room > 1 {
      canvas.put(signs.ellipsis, x: start, y: y, style: style.overlaid(by: canvas.theme.dim))
    }
    return point
  }

  /// The column on which a grapheme of the text is drawn by ``draw(in:y:style:)``, for a caret
  /// below it; nil when it is scrolled out.
  public func column(of place: Int, in canvas: Canvas) -> Int? {
    let signs = canvas.signs
    let start = displayWidth(of: labelText(in: canvas))
    let first = firstShown(room: max(canvas.width - start - 1, 0), signs: signs)
    guard place >= first, place <= characters.count else { return nil }
    let x = start + characters[first..<place].reduce(0) { $0 + columns(of: $1, signs: signs) }
    return x < canvas.width ? x : nil
  }

  /// The label, cut so that it leaves room to type in.
  private func labelText(in canvas: Canvas) -> String {
    canvas.signs.cut(" " + label + (label.isEmpty ? "" : " "), to: canvas.width / 2)
  }

  /// The first grapheme that is shown, so that the cursor is inside of the line.
  private func firstShown(room: Int, signs: Signs) -> Int {
    var used = 0
    var place = cursor
    while place > 0 {
      used += columns(of: characters[place - 1], signs: signs)
      if used > room { break }
      place -= 1
    }
    return place
  }

  private func columns(of character: Character, signs: Signs) -> Int {
    displayWidth(of: signs.visible(String(character)))
  }
}

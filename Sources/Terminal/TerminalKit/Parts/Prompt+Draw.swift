extension Prompt {
  /// Draws the prompt on a line, scrolled sideways so that the cursor is visible.
  ///
  /// - Parameters:
  ///   - canvas: The canvas to draw into.
  ///   - y: The line, relative to the viewport.
  ///   - style: The style of the text.
  /// - Returns: The position of the hardware cursor on the screen.
  @discardableResult
  package func draw(in canvas: inout Canvas, y: Int, style: Style = .plain) -> Point {
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
    let point = canvas.screenPoint(x: min(x, max(canvas.width - 1, 0)), y: y)
    // Pasted text may be long: look only at as much as can fit.
    let rest = String(characters[cursor...].prefix(max(canvas.width, 0)))
    canvas.put(rest, x: x, y: y, style: style)
    if first > 0, room > 1 {
      canvas.put(signs.ellipsis, x: start, y: y, style: style.overlaid(by: canvas.theme.dim))
    }
    return point
  }

  /// Returns the column at which ``draw(in:y:style:)`` draws a grapheme of the text, to mark an
  /// error below it.
  ///
  /// - Parameters:
  ///   - index: The index of the grapheme, counted in graphemes from the start of ``text``.
  ///   - canvas: The canvas that the prompt is drawn into.
  /// - Returns: The column relative to the viewport; nil if the grapheme is not visible.
  package func column(of index: Int, in canvas: Canvas) -> Int? {
    let signs = canvas.signs
    let start = displayWidth(of: labelText(in: canvas))
    let first = firstShown(room: max(canvas.width - start - 1, 0), signs: signs)
    guard index >= first, index <= characters.count else { return nil }
    let x = start + characters[first..<index].reduce(0) { $0 + columns(of: $1, signs: signs) }
    return x < canvas.width ? x : nil
  }

  /// The label, truncated to half the width so that there is room for the text.
  private func labelText(in canvas: Canvas) -> String {
    canvas.signs.cut(" " + label + (label.isEmpty ? "" : " "), to: canvas.width / 2)
  }

  /// Returns the index of the first visible grapheme, so that the cursor is visible too.
  private func firstShown(room: Int, signs: Signs) -> Int {
    var used = 0
    var first = cursor
    while first > 0 {
      used += columns(of: characters[first - 1], signs: signs)
      if used > room { break }
      first -= 1
    }
    return first
  }

  private func columns(of character: Character, signs: Signs) -> Int {
    displayWidth(of: signs.visible(String(character)))
  }
}

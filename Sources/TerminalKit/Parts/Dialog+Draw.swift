extension Dialog {
  /// Draws the dialog in the middle of the canvas, over what is there.
  ///
  /// - Returns: The place of the hardware cursor on the screen: at the focused button, or where the
  ///   number is typed.
  @discardableResult
  public func draw(in canvas: inout Canvas) -> Point {
    let buttonsWidth = buttonTexts(canvas.signs, room: .max).reduce(0) {
      $0 + displayWidth(of: $1) + 4
    }
    let widest = lines.reduce(displayWidth(of: title) + 6) { widest, line in
      max(widest, displayWidth(of: canvas.signs.visible(line.text, columns: canvas.width)))
    }
    let width = min(max(widest, buttonsWidth, 30) + 8, canvas.width)
    let fixed = confirmation == nil ? 5 : 7
    let height = min(lines.count + fixed, canvas.height)
    let frame = Rect(
      x: (canvas.width - width) / 2, y: (canvas.height - height) / 2, width: width, height: height)
    canvas.box(frame, title: title, style: canvas.theme.frame)
    let inner = Rect(
      x: frame.minX + 1, y: frame.minY + 1, width: frame.size.width - 2,
      height: frame.size.height - 2)
    return canvas.within(inner) { part in
      // What is too tall gives up its empty lines first, then scrolls; the buttons stay.
      let isTight = part.height < lines.count + fixed - 2
      let below = confirmation == nil ? 1 : 2
      let room = isTight ? max(part.height - below, 0) : lines.count
      drawLines(room: room, top: isTight ? 0 : 1, in: &part)
      let cursor = drawButtons(in: &part)
      return confirmation == nil
        ? cursor : drawConfirmation(y: part.height - (isTight ? 2 : 3), in: &part)
    }
  }

  private func drawLines(room: Int, top: Int, in canvas: inout Canvas) {
    let first = min(firstLine, max(lines.count - room, 0))
    for (place, line) in lines.dropFirst(first).prefix(room).enumerated() {
      let text = canvas.signs.cut(line.text, to: canvas.width - 4)
      canvas.put(text, x: 3, y: top + place, style: line.style)
    }
    if first > 0 { canvas.put(canvas.signs.moreAbove, x: canvas.width - 1, y: top) }
    if lines.count > first + room, room > 0 {
      canvas.put(canvas.signs.moreBelow, x: canvas.width - 1, y: top + room - 1)
    }
  }

  /// The buttons as they are drawn, in as many words as there is room for.
  private func buttonTexts(_ signs: Signs, room: Int) -> [String] {
    let keys = buttons.map { String($0.key) }
    let names = buttons.map { "\($0.key) \($0.label)" }
    let last = focus == buttons.count - 1 ? " (Enter, Esc)" : " (Esc)"
    for (texts, note) in [(names, last), (names, ""), (keys, "")] {
      var texts = texts
      texts[focus] = "\(signs.focusLeft) \(texts[focus]) \(signs.focusRight)"
      texts[texts.count - 1] += note
      let wanted = texts.reduce(texts.count + 1) { $0 + displayWidth(of: $1) }
      if wanted <= room { return texts }
    }
    return keys
  }

  private func drawButtons(in canvas: inout Canvas) -> Point {
    let y = max(canvas.height - 1, 0)
    let texts = buttonTexts(canvas.signs, room: canvas.width)
    let total = texts.reduce(0) { $0 + displayWidth(of: $1) }
    let gap = max((canvas.width - total) / (texts.count + 1), 1)
    var x = min(gap, max(canvas.width - total - texts.count, 0))
    var cursor = Point(x: canvas.part.minX, y: canvas.part.minY + y)
    for (place, text) in texts.enumerated() {
      let isOff = buttons[place].isGuarded && !isConfirmed
      var style = place == focus ? canvas.theme.focus : Style.plain
      if isOff { style = style.overlaid(by: canvas.theme.dim) }
      if place == focus { cursor.x = canvas.part.minX + max(min(x, canvas.width - 1), 0) }
      x += canvas.put(text, x: x, y: y, style: style) + gap
    }
    return cursor
  }

  private func drawConfirmation(y: Int, in canvas: inout Canvas) -> Point {
    let y = max(y, 0)
    let question = "Type \(confirmation ?? "") to go on: "
    var x = 3 + canvas.put(question, x: 3, y: y)
    x += canvas.put(typed, x: x, y: y, style: canvas.theme.hintKey)
    let column = max(min(x, canvas.width - 1), 0)
    return Point(x: canvas.part.minX + column, y: canvas.part.minY + y)
  }
}

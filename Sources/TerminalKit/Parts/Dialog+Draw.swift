extension Dialog {
  /// Draws the dialog in the middle of the viewport, on top of its contents.
  ///
  /// - Returns: The position of the hardware cursor on the screen: the focused button, or the
  ///   field where the number is typed.
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
    return canvas.withinCenteredBox(width: width, height: height, title: title) { inside in
      // If the dialog is too tall, drop the blank lines first, then scroll the text. The buttons
      // stay visible.
      let isTight = inside.height < lines.count + fixed - 2
      let below = confirmation == nil ? 1 : 2
      let room = isTight ? max(inside.height - below, 0) : lines.count
      drawLines(room: room, top: isTight ? 0 : 1, in: &inside)
      let cursor = drawButtons(in: &inside)
      drawNote(y: inside.height - (isTight ? below + 1 : 2), in: &inside)
      return confirmation == nil
        ? cursor : drawConfirmation(y: inside.height - (isTight ? 2 : 3), in: &inside)
    }
  }

  private func drawLines(room: Int, top: Int, in canvas: inout Canvas) {
    let first = min(firstLine, max(lines.count - room, 0))
    for (offset, line) in lines.dropFirst(first).prefix(room).enumerated() {
      let text = canvas.signs.cut(line.text, to: canvas.width - 4)
      canvas.put(text, x: 3, y: top + offset, style: line.style)
    }
    if first > 0 { canvas.put(canvas.signs.moreAbove, x: canvas.width - 1, y: top) }
    if lines.count > first + room, room > 0 {
      canvas.put(canvas.signs.moreBelow, x: canvas.width - 1, y: top + room - 1)
    }
  }

  /// Returns the texts of the buttons: keys and labels if they fit the room, otherwise keys only.
  private func buttonTexts(_ signs: Signs, room: Int) -> [String] {
    let keys = buttons.map { String($0.key) }
    let names = buttons.map { "\($0.key) \($0.label)" }
    let last = focus == buttons.count - 1 ? " (Enter, Esc)" : " (Esc)"
    for (texts, note) in [(names, last), (names, ""), (keys, "")] {
      var texts = texts
      texts[focus] = "\(signs.focusLeft) \(texts[focus]) \(signs.focusRight)"
      texts[texts.count - 1] += note
      let width = texts.reduce(texts.count + 1) { $0 + displayWidth(of: $1) }
      if width <= room { return texts }
    }
    return keys
  }

  private func drawButtons(in canvas: inout Canvas) -> Point {
    let y = max(canvas.height - 1, 0)
    let texts = buttonTexts(canvas.signs, room: canvas.width)
    let total = texts.reduce(0) { $0 + displayWidth(of: $1) }
    let gap = max((canvas.width - total) / (texts.count + 1), 1)
    var x = min(gap, max(canvas.width - total - texts.count, 0))
    var cursor = canvas.screenPoint(x: 0, y: y)
    for (index, text) in texts.enumerated() {
      let isDisabled = buttons[index].requiresConfirmation && !isConfirmed
      var style = index == focus ? canvas.theme.focus : Style.plain
      if isDisabled { style = style.overlaid(by: canvas.theme.dim) }
      if index == focus { cursor = canvas.screenPoint(x: max(min(x, canvas.width - 1), 0), y: y) }
      let columns = canvas.put(text, x: x, y: y, style: style)
      canvas.mark(
        Rect(x: x, y: y, width: columns, height: 1), as: .key(.character(buttons[index].key)))
      x += columns + gap
    }
    return cursor
  }

  /// Draws why the last key did nothing, above the buttons.
  private func drawNote(y: Int, in canvas: inout Canvas) {
    guard let note, y >= 0 else { return }
    canvas.fill(Rect(x: 0, y: y, width: canvas.width, height: 1))
    canvas.put(canvas.signs.cut(note, to: canvas.width - 4), x: 3, y: y, style: canvas.theme.error)
  }

  private func drawConfirmation(y: Int, in canvas: inout Canvas) -> Point {
    let y = max(y, 0)
    let question = "Type \(confirmation ?? "") to go on: "
    var x = 3 + canvas.put(question, x: 3, y: y)
    x += canvas.put(typed, x: x, y: y, style: canvas.theme.hintKey)
    return canvas.screenPoint(x: max(min(x, canvas.width - 1), 0), y: y)
  }
}

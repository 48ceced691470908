extension Dialog {
  /// Draws the dialog in the middle of the viewport, on top of its contents.
  ///
  /// Long lines are broken, and what does not fit scrolls: a sign says that there is more. On a low
  /// screen there is no frame. The buttons are always visible.
  ///
  /// - Returns: The position of the hardware cursor on the screen: the focused button, or the
  ///   field where the number is typed.
  @discardableResult
  package mutating func draw(in canvas: inout Canvas) -> Point {
    let buttonsWidth = buttonRows(canvas.signs, room: .max, most: 1)[0].reduce(0) {
      $0 + displayWidth(of: $1.text) + 4
    }
    let widest = lines.reduce(displayWidth(of: title) + 6) { widest, line in
      max(widest, displayWidth(of: canvas.signs.visible(line.text, columns: canvas.width)))
    }
    let width = min(max(widest, buttonsWidth, 30) + 8, canvas.width)
    guard canvas.height >= Self.leastFramedHeight else { return drawWithoutFrame(in: &canvas) }
    let text = wrappedLines(columns: width - 2, titleRoom: width - 6, signs: canvas.signs)
    let most = canvas.height - 2 - Self.leastTextHeight - confirmationHeight
    let rows = buttonRows(canvas.signs, room: width - 2, most: max(most, 1))
    let spaced = text.count + rows.count + confirmationHeight * 2 + 4
    let isSpaced = spaced <= canvas.height
    let height = min(spaced, canvas.height)
    return canvas.withinCenteredBox(width: width, height: height, title: title) {
      drawContents(text, rows, isSpaced: isSpaced, in: &$0)
    }
  }

  /// The height from which there is a frame.
  private static let leastFramedHeight = 8
  /// The lines of text that further rows of buttons leave.
  private static let leastTextHeight = 3

  private var confirmationHeight: Int { confirmation == nil ? 0 : 1 }

  private mutating func drawWithoutFrame(in canvas: inout Canvas) -> Point {
    let size = canvas.size
    canvas.fill(Rect(x: 0, y: 0, width: size.width, height: size.height))
    canvas.rule(x: 0, y: 0, columns: size.width, style: canvas.theme.frame)
    canvas.put(
      " \(canvas.signs.cut(title, to: size.width - 4)) ", x: 1, y: 0,
      style: canvas.theme.frame.overlaid(by: Style(.bold)))
    let text = wrappedLines(columns: size.width, titleRoom: size.width - 4, signs: canvas.signs)
    let rows = buttonRows(canvas.signs, room: size.width, most: 1)
    let frame = Rect(x: 0, y: 1, width: size.width, height: size.height - 1)
    return canvas.within(frame) { drawContents(text, rows, isSpaced: false, in: &$0) }
  }

  // MARK: Text

  /// The columns before the text in a dialog of a width.
  private static func margin(_ columns: Int) -> Int { columns < 40 ? 1 : 3 }

  /// The lines of the text, broken at the width; a title that is too long for the frame comes first.
  private func wrappedLines(columns: Int, titleRoom: Int, signs: Signs) -> [Line] {
    let room = max(columns - Self.margin(columns) - 1, 1)
    let isCut = displayWidth(of: signs.visible(title)) > titleRoom
    let whole = isCut ? [Line(title, style: Style(.bold), hangingIndent: 0)] + lines : lines
    return whole.flatMap { line -> [Line] in
      let indent = min(line.hangingIndent, room / 3)
      return TextWrap.lines(
        line.text, columns: room, limit: 1_000, signs: signs, hangingIndent: indent
      ).map { Line($0, style: line.style) }
    }
  }

  /// Draws text, note, confirmation and buttons from the top to the bottom of the viewport, with
  /// blank lines between them or without.
  private mutating func drawContents(
    _ text: [Line], _ rows: [[ButtonText]], isSpaced: Bool, in canvas: inout Canvas
  ) -> Point {
    let blank = isSpaced ? 1 : 0
    let buttonsTop = max(canvas.height - rows.count, 0)
    let below = buttonsTop - confirmationHeight * (1 + blank)
    let room = max(below - 2 * blank, 0)
    drawText(text, room: room, top: blank, in: &canvas)
    drawNote(bottom: below, in: &canvas)
    let button = drawButtons(rows, top: buttonsTop, in: &canvas)
    guard confirmation != nil else { return button }
    let field = drawConfirmation(y: max(below, 0), in: &canvas)
    return isConfirmed ? button : field
  }

  private mutating func drawText(
    _ text: [Line], room: Int, top: Int, in canvas: inout Canvas
  ) {
    shownLineCount = room
    firstLine = min(firstLine, max(text.count - room, 0))
    let x = Self.margin(canvas.width)
    for (offset, line) in text.dropFirst(firstLine).prefix(room).enumerated() {
      canvas.put(line.text, x: x, y: top + offset, style: line.style)
    }
    guard room > 0 else { return }
    if firstLine > 0 { canvas.put(canvas.signs.moreAbove, x: canvas.width - 1, y: top) }
    if text.count > firstLine + room {
      canvas.put(canvas.signs.moreBelow, x: canvas.width - 1, y: top + room - 1)
    }
  }

  /// Draws why the last key did nothing, above the buttons.
  private func drawNote(bottom: Int, in canvas: inout Canvas) {
    guard let note else { return }
    let x = Self.margin(canvas.width)
    let shown = TextWrap.lines(
      note, columns: canvas.width - x - 1, limit: 3, signs: canvas.signs)
    for (offset, line) in shown.enumerated() {
      let y = bottom - shown.count + offset
      guard y >= 0 else { continue }
      canvas.fill(Rect(x: 0, y: y, width: canvas.width, height: 1))
      canvas.put(line, x: x, y: y, style: canvas.theme.error)
    }
  }

  private func drawConfirmation(y: Int, in canvas: inout Canvas) -> Point {
    let asked = confirmation ?? ""
    let margin = Self.margin(canvas.width)
    let questions = ["Type \(asked) to go on: ", "Type \(asked): ", "\(asked)? "]
    let question = questions.first {
      displayWidth(of: $0) + max(asked.count, typed.count) + margin < canvas.width
    }
    var x = margin
    x += canvas.put(question ?? "", x: x, y: y)
    x += canvas.put(typed, x: x, y: y, style: canvas.theme.hintKey)
    return canvas.screenPoint(x: max(min(x, canvas.width - 1), 0), y: y)
  }

  // MARK: Buttons

  /// A button's text as it is drawn.
  private struct ButtonText {
    let button: Int
    var text: String
  }

  /// The buttons in rows: with their labels if these fit, on several rows if there is room for them,
  /// otherwise with the label of the focused one.
  private func buttonRows(_ signs: Signs, room: Int, most: Int) -> [[ButtonText]] {
    let last = buttons.count - 1
    let names = texts(signs) { "\(buttons[$0].key) \(buttons[$0].label)" }
    var noted = names
    if focus != last { noted[focus].text += " (Enter)" }
    noted[last].text += focus == last ? " (Enter, Esc)" : " (Esc)"
    for row in [noted, names] where Self.width(of: row) <= room { return [row] }
    let rows = Self.flow(names, room: room)
    if rows.count <= most, rows.allSatisfy({ Self.width(of: $0) <= room }) { return rows }
    let short = texts(signs) { index in
      index == focus ? "\(buttons[index].key) \(buttons[index].label)" : String(buttons[index].key)
    }
    if Self.width(of: short) <= room { return [short] }
    return [texts(signs) { String(buttons[$0].key) }]
  }

  /// The texts of the buttons, with signs beside the focused one.
  private func texts(_ signs: Signs, _ text: (Int) -> String) -> [ButtonText] {
    buttons.indices.map { index in
      let text = text(index)
      return ButtonText(
        button: index,
        text: index == focus ? "\(signs.focusLeft) \(text) \(signs.focusRight)" : text)
    }
  }

  private static func width(of row: [ButtonText]) -> Int {
    row.reduce(row.count + 1) { $0 + displayWidth(of: $1.text) }
  }

  /// Fills rows with buttons from left to right.
  private static func flow(_ texts: [ButtonText], room: Int) -> [[ButtonText]] {
    texts.reduce(into: [[]]) { rows, text in
      let last = rows.count - 1
      if rows[last].isEmpty || width(of: rows[last] + [text]) <= room {
        rows[last].append(text)
      } else {
        rows.append([text])
      }
    }
  }

  /// Draws the buttons.
  ///
  /// - Returns: The position of the focused one on the screen.
  private func drawButtons(_ rows: [[ButtonText]], top: Int, in canvas: inout Canvas) -> Point {
    var cursor = canvas.screenPoint(x: 0, y: top)
    for (offset, row) in rows.enumerated() {
      let y = top + offset
      let total = row.reduce(0) { $0 + displayWidth(of: $1.text) }
      // Buttons on several rows begin at the same column.
      let gap = rows.count > 1 ? 1 : max((canvas.width - total) / (row.count + 1), 1)
      var x = min(gap, max(canvas.width - total - row.count, 0))
      for item in row {
        let isFocused = item.button == focus
        var style = isFocused ? canvas.theme.focus : Style.plain
        if isDisabled(item.button) { style = style.overlaid(by: canvas.theme.dim) }
        if isFocused { cursor = canvas.screenPoint(x: max(min(x, canvas.width - 1), 0), y: y) }
        let columns = canvas.put(item.text, x: x, y: y, style: style)
        canvas.mark(
          Rect(x: x, y: y, width: columns, height: 1),
          as: .key(.character(buttons[item.button].key)))
        x += columns + gap
      }
    }
    return cursor
  }
}

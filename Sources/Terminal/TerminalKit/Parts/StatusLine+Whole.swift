extension StatusLine {
  /// Draws the message over the bottom lines of a screen if it needs more than the status line has.
  ///
  /// It covers the hints, and the last rows of a small screen; the list does not move.
  ///
  /// - Parameters:
  ///   - canvas: The whole screen.
  ///   - more: Where the whole message can be read if half of the screen is too little.
  package func drawWhole(in canvas: inout Canvas, more: String = "") {
    let room = canvas.width - 2
    let counters = severity == .error ? 0 : displayWidth(of: counters) + 2
    let isLong =
      displayWidth(of: canvas.signs.visible(message, columns: canvas.width)) > room - counters
    guard isLong else { return }
    let lines = TextWrap.lines(message, columns: room, limit: 100, signs: canvas.signs)
    let most = max(2, canvas.height / 2)
    let height = max(min(lines.count, most), ScreenLayout(canvas.size).bottom.size.height)
    let top = canvas.height - height
    let style = severity == .error ? canvas.theme.error : canvas.theme.message
    canvas.fill(Rect(x: 0, y: top, width: canvas.width, height: height))
    for (place, line) in lines.prefix(height).enumerated() {
      let isCut = place == height - 1 && lines.count > height
      let shown = isCut ? canvas.signs.cut(line, to: room - displayWidth(of: more)) + more : line
      canvas.put(shown, x: 1, y: top + place, style: style)
    }
  }
}

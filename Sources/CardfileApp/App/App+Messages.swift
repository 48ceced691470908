import TerminalKit

extension App {
  /// Draws a message over the bottom lines if it needs more than the status line has.
  ///
  /// It covers the hints, and the last rows of a small screen; the list does not move.
  func drawLongMessage(status: ScreenStatus, in canvas: inout Canvas) {
    guard let message = session.message, retry == nil, export == nil else { return }
    let text = canvas.signs.own(message.text)
    let room = canvas.width - 2
    let counters = message.severity == .error ? 0 : displayWidth(of: status.counters) + 2
    let isLong =
      displayWidth(of: canvas.signs.visible(text, columns: canvas.width)) > room - counters
    guard isLong else { return }
    let lines = TextWrap.lines(text, columns: room, limit: 100, signs: canvas.signs)
    let most = max(2, canvas.height / 2)
    let height = max(min(lines.count, most), canvas.height >= 8 ? 2 : 1)
    let top = canvas.height - height
    let style = message.severity == .error ? canvas.theme.error : canvas.theme.message
    canvas.fill(Rect(x: 0, y: top, width: canvas.width, height: height))
    for (place, line) in lines.prefix(height).enumerated() {
      let isCut = place == height - 1 && lines.count > height
      let more = canvas.signs.own(" … :messages")
      let shown = isCut ? canvas.signs.cut(line, to: room - displayWidth(of: more)) + more : line
      canvas.put(shown, x: 1, y: top + place, style: style)
    }
  }

  /// Shows the messages of this run, the latest first.
  func showMessages() {
    let columns = max(terminal.size.width - 10, 12)
    let signs = session.look.signs
    let lines = session.messages.reversed().flatMap { message in
      TextWrap.lines(signs.own(message.text), columns: columns, limit: 100, signs: signs)
        .enumerated().map {
          $0.offset == 0 ? "\(signs.separator) \($0.element)" : "  \($0.element)"
        }
    }
    present(TextOverlay("Messages", lines: lines.isEmpty ? ["There was no message yet"] : lines))
  }
}

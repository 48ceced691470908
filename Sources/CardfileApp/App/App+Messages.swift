import TerminalKit

extension App {
  /// Draws a message over the bottom lines if it needs more than the status line has.
  ///
  /// It covers the hints, and the last rows of a small screen; the list does not move.
  func drawLongMessage(status: ScreenStatus, in canvas: inout Canvas) {
    guard let message = session.message, retry == nil, export == nil else { return }
    StatusLine(
      canvas.signs.own(message.text), severity: message.severity,
      counters: canvas.signs.own(status.counters)
    )
    .drawWhole(in: &canvas, more: canvas.signs.own(" … :messages"))
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

import TerminalKit

extension App {
  /// Draws a message over the bottom lines if it needs more than the status line has.
  ///
  /// It covers the hints, and the last rows of a small screen; the list does not move.
  func drawLongMessage(status: ScreenStatus, in canvas: inout Canvas) {
    guard let message = session.message, lockLine == nil, !session.jobs.isRunning else { return }
    StatusLine(
      canvas.signs.own(message.text), severity: message.severity,
      counters: canvas.signs.own(status.counters)
    )
    .drawWhole(in: &canvas, more: canvas.signs.own(" … :messages"))
  }

  /// Shows the messages of this run, the latest first.
  func showMessages() {
    let signs = session.look.signs
    let lines = session.messages.reversed().map { "\(signs.separator) \(signs.own($0.text))" }
    present(TextOverlay("Messages", lines: lines.isEmpty ? ["There was no message yet"] : lines))
  }
}

import Foundation

/// The line of the screen reserved for messages, with counters at the right.
package struct StatusLine: Hashable, Sendable {
  /// The severity of a message.
  package enum Severity: Hashable, Sendable {
    /// Information about a completed action.
    case message
    /// An error.
    case error
  }

  /// The message; empty for none.
  package var message: String
  /// The severity of the message.
  package var severity: Severity
  /// The text at the right edge, such as `D3 *1 +1   J  392,118/1,000,000  39%`; empty for none.
  package var counters: String

  /// Creates a status line.
  package init(_ message: String = "", severity: Severity = .message, counters: String = "") {
    self.message = message
    self.severity = severity
    self.counters = counters
  }

  /// The numbers of unsaved deletions, changes and insertions: `D3 *1 +1`; empty for none.
  package static func counters(deleted: Int, changed: Int, inserted: Int) -> String {
    [("D", deleted), ("*", changed), ("+", inserted)].filter { $0.1 > 0 }
      .map { "\($0.0)\(groupedDigits($0.1))" }.joined(separator: " ")
  }

  /// The counters without those at the right that do not fit, of which the percentage is the first.
  private func fittingCounters(columns: Int) -> String {
    var parts = counters.split(separator: "  ")
    while parts.count > 1, displayWidth(of: parts.joined(separator: "  ")) > columns {
      parts.removeLast()
    }
    return parts.count > 1 ? parts.joined(separator: "  ") : counters
  }

  /// Draws the status line on a line of the viewport.
  ///
  /// A long message is truncated; an error that needs the room hides the counters.
  package func draw(in canvas: inout Canvas, y: Int) {
    let right = canvas.signs.cut(fittingCounters(columns: canvas.width - 2), to: canvas.width - 2)
    let columns = displayWidth(of: right)
    let isError = severity == .error
    let messageWidth = displayWidth(of: canvas.signs.visible(message, columns: canvas.width))
    let keepsCounters = !isError || messageWidth + columns + 4 <= canvas.width
    let room = canvas.width - 2 - (keepsCounters && columns > 0 ? columns + 2 : 0)
    let style = isError ? canvas.theme.error : canvas.theme.message
    canvas.put(canvas.signs.cut(message, to: room), x: 1, y: y, style: style)
    if keepsCounters { canvas.put(right, x: canvas.width - 1 - columns, y: y) }
  }
}

extension StatusLine {
  /// The description of an error on one line, its lines separated by dashes.
  package static func text(of error: any Error) -> String {
    String(describing: error).split(whereSeparator: \.isNewline)
      .map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: " — ")
  }
}

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
    for (index, line) in lines.prefix(height).enumerated() {
      let isCut = index == height - 1 && lines.count > height
      let shown = isCut ? canvas.signs.cut(line, to: room - displayWidth(of: more)) + more : line
      canvas.put(shown, x: 1, y: top + index, style: style)
    }
  }
}

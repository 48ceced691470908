/// The line of the screen reserved for messages, with counters at the right.
public struct StatusLine: Hashable, Sendable {
  /// The severity of a message.
  public enum Severity: Hashable, Sendable {
    /// Information about a completed action.
    case message
    /// An error.
    case error
  }

  /// The message; empty for none.
  public var message: String
  /// The severity of the message.
  public var severity: Severity
  /// The text at the right edge, such as `D3 *1 +1   J  392,118/1,000,000  39%`; empty for none.
  public var counters: String

  /// Creates a status line.
  public init(_ message: String = "", severity: Severity = .message, counters: String = "") {
    self.message = message
    self.severity = severity
    self.counters = counters
  }

  /// The numbers of unsaved deletions, changes and insertions: `D3 *1 +1`; empty for none.
  package static func counters(deleted: Int, changed: Int, inserted: Int) -> String {
    [("D", deleted), ("*", changed), ("+", inserted)].filter { $0.1 > 0 }
      .map { "\($0.0)\(groupedDigits($0.1))" }.joined(separator: " ")
  }

  /// Draws the status line on a line of the viewport.
  ///
  /// A long message is truncated; an error that needs the room hides the counters.
  package func draw(in canvas: inout Canvas, y: Int) {
    let right = canvas.signs.cut(counters, to: canvas.width - 2)
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

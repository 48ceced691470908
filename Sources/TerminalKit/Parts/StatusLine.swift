/// The line that speaks to the person: a message at the left, counters at the right.
///
/// It has its own line, so that messages never move the list.
public struct StatusLine: Hashable, Sendable {
  /// How much a message matters.
  public enum Weight: Hashable, Sendable {
    /// Something was done.
    case message
    /// Something failed.
    case error
  }

  /// What is said; empty for nothing.
  public var message: String
  /// How much it matters.
  public var weight: Weight
  /// Stands at the right edge: `D3 *1 +1   J  392,118/1,000,000  39%`.
  public var counters: String

  /// Creates a line.
  public init(_ message: String = "", weight: Weight = .message, counters: String = "") {
    self.message = message
    self.weight = weight
    self.counters = counters
  }

  /// Draws the line; a message that is too long is cut, then the counters give way.
  public func draw(in canvas: inout Canvas, y: Int) {
    let right = canvas.signs.cut(counters, to: canvas.width - 2)
    let columns = displayWidth(of: right)
    let isError = weight == .error
    // An error is worth more than counters; both are shown where there is room.
    let wanted = displayWidth(of: canvas.signs.visible(message, columns: canvas.width))
    let keepsCounters = !isError || wanted + columns + 4 <= canvas.width
    let room = canvas.width - 2 - (keepsCounters && columns > 0 ? columns + 2 : 0)
    let style = isError ? canvas.theme.error : canvas.theme.message
    canvas.put(canvas.signs.cut(message, to: room), x: 1, y: y, style: style)
    if keepsCounters { canvas.put(right, x: canvas.width - 1 - columns, y: y) }
  }
}

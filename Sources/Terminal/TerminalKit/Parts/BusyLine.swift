/// The progress line shown during long work: spinner, percentage, counts, and a hint to cancel.
public struct BusyLine: Hashable, Sendable {
  /// The work, such as `Sorting by born`.
  package var title: String
  /// The number of items done; nil if progress is unknown.
  package var completed: Int?
  /// The number of items in all; nil if unknown, which leaves out the percentage.
  package var total: Int?
  /// Whether Esc cancels the work; if so, the line says it.
  package var canCancel: Bool
  /// A remark at the right edge, such as `showing old order`; empty for none.
  package var note: String

  /// The time between two frames of the spinner, in milliseconds.
  package static let frameDuration = 100

  /// Creates a progress line.
  public init(
    _ title: String, completed: Int? = nil, total: Int? = nil, canCancel: Bool = true,
    note: String = ""
  ) {
    self.title = title
    self.completed = completed
    self.total = total
    self.canCancel = canCancel
    self.note = note
  }

  /// Creates the line of work that has done so much of a total; 0 is unknown.
  package init(
    _ title: String, completed: Int, of total: Int, canCancel: Bool = true, note: String = ""
  ) {
    self.init(
      title, completed: completed > 0 ? completed : nil, total: total > 0 ? total : nil,
      canCancel: canCancel, note: note)
  }

  /// Draws the line.
  ///
  /// - Parameters:
  ///   - canvas: The canvas to draw into.
  ///   - y: The line, relative to the viewport.
  ///   - milliseconds: The time by any clock in milliseconds; it selects the spinner's frame.
  package func draw(in canvas: inout Canvas, y: Int, at milliseconds: Int) {
    var x = Self.drawSpinner(in: &canvas, y: y, at: milliseconds)
    x += canvas.put("\(title) \(canvas.signs.ellipsis)", x: x, y: y, limit: canvas.width - x)
    x += canvas.put(figures, x: x, y: y, style: canvas.theme.busy)
    if canCancel { x += canvas.put("   Esc cancel", x: x, y: y, style: canvas.theme.hint) }
    let columns = displayWidth(of: canvas.signs.visible(note, columns: canvas.width))
    if columns > 0, x + 2 + columns < canvas.width {
      canvas.put(note, x: canvas.width - 1 - columns, y: y, style: canvas.theme.dim)
    }
  }

  /// Draws a line that has no progress: the spinner and a text.
  package static func draw(
    _ text: String, in canvas: inout Canvas, y: Int, at milliseconds: Int
  ) {
    let x = drawSpinner(in: &canvas, y: y, at: milliseconds)
    canvas.put(canvas.signs.cut(text, to: canvas.width - x - 1), x: x, y: y)
  }

  /// Draws the spinner; returns where the text begins.
  private static func drawSpinner(in canvas: inout Canvas, y: Int, at milliseconds: Int) -> Int {
    let frames = canvas.signs.spinner
    let turn = milliseconds / frameDuration
    let frame = frames[(turn % frames.count + frames.count) % frames.count]
    return 1 + canvas.put(frame, x: 1, y: y, style: canvas.theme.busy) + 1
  }

  private var figures: String {
    guard let completed else { return "" }
    guard let total, total > 0 else { return " " + groupedDigits(completed) }
    let percent = Int(Double(min(max(completed, 0), total)) / Double(total) * 100)
    return " \(percent) %  \(groupedDigits(completed))/\(groupedDigits(total))"
  }
}

/// The line that is shown while work goes on: spinner, percent, counts, and how to stop it.
public struct BusyLine: Hashable, Sendable {
  /// What is being done: `Sorting by born`.
  public var title: String
  /// How much is done; nil where it is not counted.
  public var completed: Int?
  /// How much there is to do; nil where it is not known.
  public var total: Int?
  /// Whether Esc stops the work.
  public var canCancel: Bool
  /// Stands at the right edge: `showing old order`.
  public var note: String

  /// The time that one picture of the spinner stays, in milliseconds.
  public static let frameDuration = 100

  /// Creates a line.
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

  /// Draws the line.
  ///
  /// - Parameters:
  ///   - canvas: Where to draw.
  ///   - y: The line.
  ///   - milliseconds: The time, by any clock; it turns the spinner.
  public func draw(in canvas: inout Canvas, y: Int, at milliseconds: Int) {
    let frames = canvas.signs.spinner
    let turn = milliseconds / Self.frameDuration
    let frame = frames[(turn % frames.count + frames.count) % frames.count]
    var x = 1 + canvas.put(frame, x: 1, y: y, style: canvas.theme.busy) + 1
    x += canvas.put("\(title) \(canvas.signs.ellipsis)", x: x, y: y, limit: canvas.width - x)
    x += canvas.put(figures, x: x, y: y, style: canvas.theme.busy)
    if canCancel { x += canvas.put("   Esc cancel", x: x, y: y, style: canvas.theme.hint) }
    let columns = displayWidth(of: canvas.signs.visible(note, columns: canvas.width))
    if columns > 0, x + 2 + columns < canvas.width {
      canvas.put(note, x: canvas.width - 1 - columns, y: y, style: canvas.theme.dim)
    }
  }

  private var figures: String {
    guard let completed else { return "" }
    guard let total, total > 0 else { return " " + groupedDigits(completed) }
    let percent = Int(Double(min(max(completed, 0), total)) / Double(total) * 100)
    return " \(percent) %  \(groupedDigits(completed))/\(groupedDigits(total))"
  }
}

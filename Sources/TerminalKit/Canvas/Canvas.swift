/// A picture of the screen: a grid of cells that views draw into.
///
/// It is a value. Drawing outside of it, or outside of the part that is being drawn, does nothing,
/// so a view needs no arithmetic to be safe on a tiny screen. Text is made safe on its way in.
public struct Canvas: Hashable, Sendable {
  /// The whole extent, whatever part is being drawn.
  public let bounds: Size
  /// The theme and the signs of the terminal that it is drawn for.
  public let look: Look
  /// The part being drawn, in cells of the whole.
  var part: Rect
  var cells: [CanvasCell]

  /// Creates an empty picture.
  ///
  /// - Parameters:
  ///   - size: Its extent; may be empty.
  ///   - look: For which terminal it is drawn; colours and Unicode when left out.
  public init(size: Size, look: Look = Look(TerminalCapabilities(colorSupport: .palette))) {
    bounds = size
    self.look = look
    part = Rect(x: 0, y: 0, width: size.width, height: size.height)
    cells = Array(repeating: .blank, count: size.width * size.height)
  }

  /// The extent of the part that is being drawn.
  public var size: Size { part.size }
  /// The width of the part that is being drawn.
  public var width: Int { part.size.width }
  /// The height of the part that is being drawn.
  public var height: Int { part.size.height }
  /// The glyphs of the terminal.
  public var signs: Signs { look.signs }
  /// The styles of the terminal.
  public var theme: Theme { look.theme }

  /// The cell at a place of the whole picture.
  ///
  /// - Precondition: The place is inside ``bounds``.
  public subscript(x: Int, y: Int) -> CanvasCell {
    precondition(
      x >= 0 && x < bounds.width && y >= 0 && y < bounds.height,
      "Cell (\(x), \(y)) is outside of a canvas of \(bounds.width)×\(bounds.height).")
    return cells[y * bounds.width + x]
  }

  /// Draws in a part of the picture as if it were the whole.
  ///
  /// - Parameters:
  ///   - rect: The part, counted from the part that is being drawn now; what exceeds that is cut off.
  ///   - body: Draws; (0, 0) is the part's top left corner and ``size`` its extent.
  /// - Returns: What the body returns.
  @discardableResult
  public mutating func within<Result>(
    _ rect: Rect, _ body: (inout Canvas) throws -> Result
  ) rethrows -> Result {
    let outer = part
    defer { part = outer }
    part = Rect(
      x: outer.minX + rect.minX, y: outer.minY + rect.minY, width: rect.size.width,
      height: rect.size.height
    ).intersection(outer)
    return try body(&self)
  }
}

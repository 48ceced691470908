/// An off-screen image of the terminal: a grid of cells that views draw into.
///
/// Drawing outside the canvas, or outside the viewport set by ``within(_:_:)``, does nothing, so
/// views need no bounds checks on a tiny screen. Control characters in text are replaced when the
/// text is drawn, never sent to the terminal.
public struct Canvas: Hashable, Sendable {
  /// The size of the whole canvas, whatever the current viewport.
  public let bounds: Size
  /// The styles and glyphs that suit the terminal the canvas will be shown on.
  package let look: Look
  /// The rectangle that drawing is relative to and clipped by, in cells of the whole canvas.
  var viewport: Rect
  var cells: [CanvasCell]
  /// What clicks mean, by area of the screen; a later one covers the earlier ones.
  var targets: [TargetArea] = []
  /// The texts that lead to addresses, as ``link(_:to:)`` was called.
  package internal(set) var links: [ScreenLink] = []

  /// Creates a blank canvas.
  ///
  /// - Parameters:
  ///   - size: The size in columns and lines; may be empty.
  ///   - look: The styles and glyphs to draw with; by default 256 colours and Unicode.
  package init(size: Size, look: Look = Look(TerminalCapabilities(colorSupport: .palette))) {
    bounds = size
    self.look = look
    viewport = Rect(x: 0, y: 0, width: size.width, height: size.height)
    cells = Array(repeating: .blank, count: size.width * size.height)
  }

  /// The size of the current viewport.
  public var size: Size { viewport.size }
  /// The width of the current viewport in columns.
  package var width: Int { viewport.size.width }
  /// The height of the current viewport in lines.
  package var height: Int { viewport.size.height }
  /// The glyphs to draw with: Unicode or ASCII.
  package var signs: Signs { look.signs }
  /// The styles to draw with.
  package var theme: Theme { look.theme }

  /// The cell at a column and line of the whole canvas, whatever the current viewport.
  ///
  /// - Precondition: The position is inside ``bounds``.
  package subscript(x: Int, y: Int) -> CanvasCell {
    precondition(
      x >= 0 && x < bounds.width && y >= 0 && y < bounds.height,
      "Cell (\(x), \(y)) is outside of a canvas of \(bounds.width)×\(bounds.height).")
    return cells[y * bounds.width + x]
  }

  /// Draws with a rectangle as the viewport: coordinates are relative to it, output is clipped.
  ///
  /// - Parameters:
  ///   - rect: The new viewport, relative to the current one and clipped by it.
  ///   - body: Draws; (0, 0) is the rectangle's top left corner and ``size`` its clipped size.
  /// - Returns: The value that `body` returns.
  @discardableResult
  public mutating func within<Result>(
    _ rect: Rect, _ body: (inout Canvas) throws -> Result
  ) rethrows -> Result {
    let outer = viewport
    defer { viewport = outer }
    viewport = Rect(
      x: outer.minX + rect.minX, y: outer.minY + rect.minY, width: rect.size.width,
      height: rect.size.height
    ).intersection(outer)
    return try body(&self)
  }

  /// Converts a position in the current viewport to one on the screen.
  package func screenPoint(x: Int, y: Int) -> Point {
    Point(x: viewport.minX + x, y: viewport.minY + y)
  }
}

/// One cell of a ``Canvas``.
package struct CanvasCell: Hashable, Sendable {
  /// The grapheme; nil if the cell is covered by a wide grapheme that begins further left.
  package var character: Character?
  /// The colours and attributes.
  package var style: Style

  /// A space in the terminal's default style.
  static let blank = CanvasCell(character: " ", style: .plain)
}

extension Canvas {
  /// Returns the canvas with no more colours than some support; itself for nil.
  ///
  /// - Complexity: O(cells).
  package func limited(to support: ColorSupport?) -> Canvas {
    guard let support else { return self }
    var canvas = self
    for index in canvas.cells.indices {
      canvas.cells[index].style = canvas.cells[index].style.degraded(to: support)
    }
    return canvas
  }
}

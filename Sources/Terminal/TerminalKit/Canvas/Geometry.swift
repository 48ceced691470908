/// A position on the screen in columns and lines.
///
/// The top left corner is (0, 0); y grows downwards.
public struct Point: Hashable, Sendable {
  /// The column, counted from 0 at the left.
  public var x: Int
  /// The line, counted from 0 at the top.
  public var y: Int

  /// Creates a point.
  public init(x: Int, y: Int) {
    self.x = x
    self.y = y
  }
}

/// A width in columns and a height in lines.
public struct Size: Hashable, Sendable {
  /// The width in columns, never negative.
  public let width: Int
  /// The height in lines, never negative.
  public let height: Int

  /// Creates a size; negative numbers become 0.
  public init(width: Int, height: Int) {
    self.width = max(width, 0)
    self.height = max(height, 0)
  }
}

/// A rectangle of cells.
///
/// It may be empty, and it may lie outside the canvas.
public struct Rect: Hashable, Sendable {
  /// The top left corner.
  public var origin: Point
  /// The size, extending right and down from the origin.
  public var size: Size

  /// Creates a rectangle from its top left corner and its size; negative sizes become 0.
  public init(x: Int, y: Int, width: Int, height: Int) {
    origin = Point(x: x, y: y)
    size = Size(width: width, height: height)
  }

  /// The first column.
  package var minX: Int { origin.x }
  /// The first line.
  package var minY: Int { origin.y }
  /// The column after the last.
  package var maxX: Int { origin.x + size.width }
  /// The line after the last.
  package var maxY: Int { origin.y + size.height }

  /// Returns whether a point is inside.
  public func contains(_ point: Point) -> Bool {
    point.x >= minX && point.x < maxX && point.y >= minY && point.y < maxY
  }

  /// Returns the overlap of two rectangles; empty if they do not overlap.
  package func intersection(_ other: Rect) -> Rect {
    let left = max(minX, other.minX)
    let top = max(minY, other.minY)
    return Rect(
      x: left, y: top, width: min(maxX, other.maxX) - left, height: min(maxY, other.maxY) - top)
  }
}

/// One cell of a ``Canvas``.
public struct CanvasCell: Hashable, Sendable {
  /// What stands in the cell; nil in the cells that a wide grapheme to the left reaches into.
  public var character: Character?
  /// How it looks.
  public var style: Style

  /// An empty cell in the terminal's own look.
  static let blank = CanvasCell(character: " ", style: .plain)
}

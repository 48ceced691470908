/// One cell of a ``Canvas``.
public struct CanvasCell: Hashable, Sendable {
  /// The grapheme; nil if the cell is covered by a wide grapheme that begins further left.
  public var character: Character?
  /// The colours and attributes.
  public var style: Style

  /// A space in the terminal's default style.
  static let blank = CanvasCell(character: " ", style: .plain)
}

/// One cell of a ``Canvas``.
package struct CanvasCell: Hashable, Sendable {
  /// The grapheme; nil if the cell is covered by a wide grapheme that begins further left.
  package var character: Character?
  /// The colours and attributes.
  package var style: Style

  /// A space in the terminal's default style.
  static let blank = CanvasCell(character: " ", style: .plain)
}

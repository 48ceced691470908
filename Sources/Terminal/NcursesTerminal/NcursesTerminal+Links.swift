import CNcurses
import TerminalKit

/// Links, of which ncurses knows nothing: their text is written once more, as a hyperlink (OSC 8),
/// after ncurses has shown it.
extension NcursesTerminal {
  /// Has ncurses write the lines anew whose links have gone or changed, which ends these links.
  ///
  /// - Returns: The links to write.
  func prepareLinks(of canvas: Canvas, over previous: Canvas?) -> [ScreenLink] {
    guard privateModes.areSupported else { return [] }
    let before = Dictionary(grouping: previous?.links ?? [], by: \.rect.minY)
    let now = Dictionary(grouping: canvas.links, by: \.rect.minY)
    var links: [ScreenLink] = []
    for y in Set(before.keys).union(now.keys).sorted() where y < size.height {
      let isSame =
        previous.map {
          before[y] == now[y] && !differs(canvas, $0, line: y, width: canvas.bounds.width)
        } ?? false
      guard !isSame else { continue }
      if before[y] != nil { wredrawln(screen, Int32(y), 1) }
      links += now[y] ?? []
    }
    return links
  }

  /// Writes links over their text.
  func showLinks(_ links: [ScreenLink], on canvas: Canvas) {
    var bytes: [UInt8] = []
    for link in links where link.rect.maxX <= min(canvas.bounds.width, size.width) {
      let cells = (link.rect.minX..<link.rect.maxX).map { canvas[$0, link.rect.minY] }
      // Other text, such as an ellipsis, is no part of an address that could be wrong on the screen.
      let text = cells.map { $0.character?.asciiValue ?? 0 }
      guard let style = cells.first?.style, text.allSatisfy({ (0x20...0x7E).contains($0) }) else {
        continue
      }
      let cursorMove = "\u{1B}[\(link.rect.minY + 1);\(link.rect.minX + 1)H"
      // The number joins the parts of an address that is wrapped.
      let number = String(link.address.utf8.reduce(5381) { ($0 &* 33) ^ UInt32($1) }, radix: 36)
      let sequence =
        cursorMove + sequence(of: style.degraded(to: capabilities.colorSupport))
        + "\u{1B}]8;id=\(number);\(link.address)\u{1B}\\"
      bytes += Array(sequence.utf8) + text + Array("\u{1B}]8;;\u{1B}\\".utf8)
    }
    guard !bytes.isEmpty else { return }
    // The cursor and the style of before are what ncurses expects.
    send(Array("\u{1B}7".utf8) + bytes + Array("\u{1B}8".utf8))
  }

  /// The control sequence (SGR) of a style.
  private func sequence(of style: Style) -> String {
    let attributes: [(TextAttributes, Int)] = [
      (.bold, 1), (.dim, 2), (.italic, 3), (.underline, 4), (.reverse, 7),
    ]
    let codes =
      ["0"] + attributes.filter { style.attributes.contains($0.0) }.map { String($0.1) }
      + colorCodes(of: style.foreground, base: 30) + colorCodes(of: style.background, base: 40)
    return "\u{1B}[\(codes.joined(separator: ";"))m"
  }

  private func colorCodes(of color: Color, base: Int) -> [String] {
    switch color {
    case .standard: []
    case .indexed(let index): index < 8 ? ["\(base + Int(index))"] : ["\(base + 8);5;\(index)"]
    case .rgb(let red, let green, let blue): ["\(base + 8);2;\(red);\(green);\(blue)"]
    }
  }
}

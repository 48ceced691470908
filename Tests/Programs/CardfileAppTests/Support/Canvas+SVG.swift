@testable import TerminalKit

extension Canvas {
  /// The canvas as an SVG picture: every word has its place in a fixed grid, whatever font is used,
  /// and so has every character that may come from another font.
  func svg(title: String) -> String {
    let (width, height) = (bounds.width * SVG.cellWidth, bounds.height * SVG.cellHeight)
    var lines = [
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(width + 16)\" height=\"\(height + 16)\""
        + " viewBox=\"-8 -8 \(width + 16) \(height + 16)\" role=\"img\" aria-label=\"\(title)\""
        + " font-family=\"DejaVu Sans Mono, Menlo, Consolas, monospace\" font-size=\"14\""
        + " fill=\"\(SVG.foreground)\" xml:space=\"preserve\">",
      "<title>\(title)</title>",
      "<rect x=\"-8\" y=\"-8\" width=\"100%\" height=\"100%\" rx=\"6\""
        + " fill=\"\(SVG.background)\"/>",
    ]
    for y in 0..<bounds.height {
      for run in runs(in: y) { lines += run.elements(y: y) }
    }
    return lines.joined(separator: "\n") + "\n</svg>\n"
  }

  /// The cells of a line, joined where they look the same; a wide character is a run of its own.
  private func runs(in y: Int) -> [SVG.Run] {
    var runs: [SVG.Run] = []
    for x in 0..<bounds.width {
      let cell = self[x, y]
      guard let character = cell.character else {
        if !runs.isEmpty { runs[runs.count - 1].columns += 1 }
        continue
      }
      let isWide = x + 1 < bounds.width && self[x + 1, y].character == nil
      if let last = runs.last, last.style == cell.style, !last.isWide, !isWide {
        runs[runs.count - 1].text.append(character)
        runs[runs.count - 1].columns += 1
      } else {
        runs.append(
          SVG.Run(text: String(character), x: x, columns: 1, isWide: isWide, style: cell.style))
      }
    }
    return runs
  }
}

/// The measures and colours of pictures.
private enum SVG {
  static let cellWidth = 9
  static let cellHeight = 18
  static let foreground = "#d8dee9"
  static let background = "#20242c"

  struct Run {
    var text: String
    let x: Int
    var columns: Int
    let isWide: Bool
    let style: Style

    func elements(y: Int) -> [String] {
      let isReversed = style.attributes.contains(.reverse)
      let (front, back) = (hex(style.foreground), hex(style.background))
      let ink = isReversed ? back ?? SVG.background : front
      let paper = isReversed ? front ?? SVG.foreground : back
      let frame = "x=\"\(x * SVG.cellWidth)\""
      var elements: [String] = []
      if let paper {
        elements.append(
          "<rect \(frame) y=\"\(y * SVG.cellHeight)\" width=\"\(columns * SVG.cellWidth)\""
            + " height=\"\(SVG.cellHeight)\" fill=\"\(paper)\"/>")
      }
      let marks = attributes(ink)
      return elements
        + words.map { word in
          let columns = isWide ? columns : word.text.count
          return "<text x=\"\((x + word.start) * SVG.cellWidth)\" y=\"\(y * SVG.cellHeight + 14)\""
            + " textLength=\"\(columns * SVG.cellWidth)\" lengthAdjust=\"spacingAndGlyphs\""
            + "\(marks)>\(Self.escaped(word.text))</text>"
        }
    }

    /// The parts of the text that have a place of their own: words of ASCII, and characters beyond it,
    /// those that repeat together. Spaces are parts only where they are underlined.
    private var words: [(text: String, start: Int)] {
      var words: [(text: String, start: Int)] = []
      var last: Character = " "
      for (place, character) in text.enumerated() {
        defer { last = character }
        if character == " ", !style.attributes.contains(.underline) { continue }
        let isJoined = last.isASCII && character.isASCII || last == character
        if let word = words.last, word.start + word.text.count == place, isJoined {
          words[words.count - 1].text.append(character)
        } else {
          words.append((String(character), place))
        }
      }
      return words
    }

    private func attributes(_ ink: String?) -> String {
      var result = ink.map { " fill=\"\($0)\"" } ?? ""
      if style.attributes.contains(.bold) { result += " font-weight=\"bold\"" }
      if style.attributes.contains(.italic) { result += " font-style=\"italic\"" }
      let lines = [(TextAttributes.underline, "underline"), (.strikethrough, "line-through")]
        .filter { style.attributes.contains($0.0) }.map(\.1)
      if !lines.isEmpty { result += " text-decoration=\"\(lines.joined(separator: " "))\"" }
      return result
    }

    private static func escaped(_ text: String) -> String {
      text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
        .replacing(">", with: "&gt;")
    }

    /// The colour as `#rrggbb`; nil for the standard one.
    private func hex(_ color: Color) -> String? {
      color.components.map { components in
        "#"
          + [components.red, components.green, components.blue]
          .map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      }
    }
  }
}

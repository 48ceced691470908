extension Canvas {
  /// The graphemes drawn on a line of the viewport, with the column that each begins in.
  ///
  /// - Parameters:
  ///   - columns: The columns relative to the viewport; clipped to it.
  ///   - y: The line relative to the viewport.
  /// - Returns: The graphemes and their columns relative to the viewport; empty outside of it.
  package func characters(columns: Range<Int>, y: Int) -> (text: [Character], x: [Int]) {
    var (text, positions): ([Character], [Int]) = ([], [])
    guard y >= 0, y < height else { return (text, positions) }
    for x in columns.clamped(to: 0..<width) {
      guard let character = self[viewport.minX + x, viewport.minY + y].character else { continue }
      text.append(character)
      positions.append(x)
    }
    return (text, positions)
  }

  /// The text of each line, without trailing spaces.
  public var lines: [String] {
    (0..<bounds.height).map { y in
      var line = ""
      for x in 0..<bounds.width {
        if let character = self[x, y].character { line.append(character) }
      }
      while line.last == " " { line.removeLast() }
      return line
    }
  }

  /// The text of the canvas, with its ``lines`` separated by line feeds.
  public var text: String { lines.joined(separator: "\n") }

  /// The style of every cell as a letter, followed by a legend; tests compare it.
  ///
  /// A dot means the terminal's default style. Other styles get letters in order of appearance,
  /// and `?` after 52 of them. The legend has one line for each style, such as `a = bold red`.
  package var styleLayer: String {
    var letters: [Style: Character] = [.plain: "."]
    var order: [Style] = []
    let alphabet = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
    var result: [String] = []
    for y in 0..<bounds.height {
      var line = ""
      for x in 0..<bounds.width {
        let style = self[x, y].style
        if letters[style] == nil {
          letters[style] = order.count < alphabet.count ? alphabet[order.count] : "?"
          order.append(style)
        }
        line.append(letters[style] ?? "?")
      }
      while line.last == "." { line.removeLast() }
      result.append(line)
    }
    for style in order { result.append("\(letters[style] ?? "?") = \(style)") }
    return result.joined(separator: "\n")
  }
}

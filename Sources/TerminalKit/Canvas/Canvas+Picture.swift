extension Canvas {
  /// The picture as lines of text, without the spaces at the ends of lines.
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

  /// The picture as text, one line of the screen a line.
  public var text: String { lines.joined(separator: "\n") }

  /// The styles of the picture: a letter for each style, and what the letters mean.
  ///
  /// A dot is the terminal's own look; letters are given in the order in which styles appear, and
  /// stand in the columns of the cells. The meanings follow below, one a line.
  public var styleLayer: String {
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

extension Canvas {
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

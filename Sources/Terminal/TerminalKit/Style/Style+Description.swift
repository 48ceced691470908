extension Style: CustomStringConvertible {
  /// The style in words, such as `bold red on #102030`; `plain` for the terminal's default style.
  ///
  /// Used by `Canvas.styleLayer`.
  public var description: String {
    var words: [String] = []
    let names: [(TextAttributes, String)] = [
      (.bold, "bold"), (.dim, "dim"), (.reverse, "reverse"), (.underline, "underline"),
      (.italic, "italic"), (.strikethrough, "strikethrough"),
    ]
    for (attribute, name) in names where attributes.contains(attribute) { words.append(name) }
    if foreground != .standard { words.append(foreground.description) }
    if background != .standard { words.append("on \(background.description)") }
    return words.isEmpty ? "plain" : words.joined(separator: " ")
  }
}

extension Color: CustomStringConvertible {
  /// The colour as `red`, `color208` or `#102030`.
  ///
  /// Used by `Canvas.styleLayer`.
  public var description: String {
    let names = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"]
    switch self {
    case .standard: return "standard"
    case .indexed(let index) where index < 8: return names[Int(index)]
    case .indexed(let index): return "color\(index)"
    case .rgb(let red, let green, let blue):
      let digits = [red, green, blue].map { part in
        (part < 16 ? "0" : "") + String(part, radix: 16)
      }
      return "#" + digits.joined()
    }
  }
}

extension Style: CustomStringConvertible {
  /// The style in words, such as `bold red on #102030`; `plain` for the terminal's default style.
  ///
  /// Used by `Canvas.styleLayer` and the settings.
  public var description: String {
    var words: [String] = []
    for (attribute, name) in Self.attributeNames where attributes.contains(attribute) {
      words.append(name)
    }
    if foreground != .standard { words.append(foreground.description) }
    if background != .standard { words.append("on \(background.description)") }
    return words.isEmpty ? "plain" : words.joined(separator: " ")
  }

  private static let attributeNames: [(TextAttributes, String)] = [
    (.bold, "bold"), (.dim, "dim"), (.reverse, "reverse"), (.underline, "underline"),
    (.italic, "italic"), (.strikethrough, "strikethrough"),
  ]

  /// Parses a style as ``description`` writes it: attributes, a colour, and `on` another colour.
  ///
  /// - Parameter text: The words.
  /// - Throws: ``UnknownWord`` if one of them is neither.
  package init(_ text: String) throws(UnknownWord) {
    self.init()
    var isBackground = false
    for word in text.lowercased().split(separator: " ") {
      if let (attribute, _) = Self.attributeNames.first(where: { $0.1 == word }) {
        attributes.insert(attribute)
      } else if word == "on" {
        isBackground = true
      } else if let color = Color(named: String(word)) {
        if isBackground { background = color } else { foreground = color }
      } else if word != "plain" {
        throw UnknownWord(word: String(word))
      }
    }
  }

  /// A word that is neither an attribute nor a colour.
  package struct UnknownWord: Error {
    package let word: String
    /// The words that it can be meant for, without the colours that are numbers.
    package static var known: [String] { attributeNames.map(\.1) + Color.names + ["standard"] }
  }
}

extension Color: CustomStringConvertible {
  /// The colour as `red`, `color208` or `#102030`.
  ///
  /// Used by `Canvas.styleLayer`.
  public var description: String {
    switch self {
    case .standard: return "standard"
    case .indexed(let index) where index < 8: return Self.names[Int(index)]
    case .indexed(let index): return "color\(index)"
    case .rgb(let red, let green, let blue):
      let digits = [red, green, blue].map { part in
        (part < 16 ? "0" : "") + String(part, radix: 16)
      }
      return "#" + digits.joined()
    }
  }

  fileprivate static let names = [
    "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white",
  ]

  /// Parses a colour as ``description`` writes it; nil for any other text.
  fileprivate init?(named text: String) {
    if text == "standard" {
      self = .standard
    } else if let index = Self.names.firstIndex(of: text) {
      self = .indexed(UInt8(index))
    } else if text.hasPrefix("color"), let index = UInt8(text.dropFirst(5)) {
      self = .indexed(index)
    } else if text.hasPrefix("#"), let color = Color(hex: text) {
      self = color
    } else {
      return nil
    }
  }
}

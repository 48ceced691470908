/// Splits lists such as `born desc, "odd, name"` at their commas.
///
/// A name that contains a comma or a quote is in double quotes.
enum NameList {
  static func split(_ text: String) -> [String] {
    var parts = [""]
    var isQuoted = false
    for character in text {
      switch character {
      case "\"":
        isQuoted.toggle()
        parts[parts.count - 1].append(character)
      case "," where !isQuoted: parts.append("")
      default: parts[parts.count - 1].append(character)
      }
    }
    return parts.map(trimmed).filter { !$0.isEmpty }
  }

  /// Removes the spaces around a name, and its quotes; `""` in quotes is a quote.
  static func unquoted(_ text: String) -> String {
    let text = trimmed(text)
    guard text.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return text }
    return String(text.dropFirst().dropLast()).replacing("\"\"", with: "\"")
  }

  private static func trimmed(_ text: String) -> String {
    var text = text.drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}

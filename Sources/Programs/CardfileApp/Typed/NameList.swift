/// A list of names as it is typed, such as `born desc, "odd, name"`, split at its commas.
///
/// A name that contains a comma or a quote is in double quotes.
package nonisolated enum NameList {
  /// A part of the list with its range.
  package struct Part: Hashable, Sendable {
    /// The part without the spaces around it.
    package var text: String
    /// The range in the list, in characters.
    package var range: Range<Int>
  }

  /// Splits a list; empty parts are left out.
  package static func split(_ text: String) -> [Part] {
    var parts: [Part] = []
    var start = 0
    var isQuoted = false
    let characters = Array(text)
    for (index, character) in characters.enumerated() {
      if character == "\"" { isQuoted.toggle() }
      guard character == ",", !isQuoted else { continue }
      parts.append(part(of: characters, start..<index))
      start = index + 1
    }
    parts.append(part(of: characters, start..<characters.count))
    return parts.filter { !$0.text.isEmpty }
  }

  private static func part(of characters: [Character], _ range: Range<Int>) -> Part {
    let isBlank = { (index: Int) in characters[index].isWhitespace }
    let start = range.first { !isBlank($0) } ?? range.upperBound
    let end = range.last { !isBlank($0) }.map { $0 + 1 } ?? start
    return Part(text: String(characters[start..<end]), range: start..<end)
  }

  /// Removes the spaces around a name, and its quotes; `""` in quotes is a quote.
  package static func unquoted(_ text: String) -> String {
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

import ObjectModel

/// A value to set, as it is typed: `city = "New York" where born < 1950-01-01`.
///
/// A value with quotes around it is text, in which a backslash stands before a quote or a backslash;
/// NULL without quotes is no value; any other is what a person types into a prompt.
nonisolated struct TypedAssignment: Hashable {
  /// The name of the attribute, without quotes.
  private(set) var name = ""
  private(set) var nameRange = 0..<0
  /// The text of the value; nil for NULL.
  private(set) var value: String?
  private(set) var valueRange = 0..<0
  /// The predicate; nil for none.
  private(set) var predicate: String?
  private(set) var predicateOffset = 0

  /// Splits a text.
  ///
  /// - Throws: The error in the text, if it is not an assignment.
  init(_ text: String) throws(TypedTextError) {
    let characters = Array(text)
    guard let sign = characters.firstIndex(of: "=") else {
      throw TypedTextError(
        "a value is missing", at: characters.count..<characters.count,
        expected: "ATTRIBUTE = VALUE")
    }
    let named = NameList.split(String(characters[..<sign]))
    guard let first = named.first, named.count == 1 else {
      throw TypedTextError("one attribute is needed before =", at: 0..<sign)
    }
    name = NameList.unquoted(first.text)
    if name == first.text, name.count > 2, name.first == "`", name.last == "`" {
      name = String(name.dropFirst().dropLast())
    }
    nameRange = first.range
    let start = characters[(sign + 1)...].firstIndex { !$0.isWhitespace } ?? characters.count
    let end = try readValue(characters, from: start)
    try readPredicate(characters, from: end)
  }

  /// Reads the value.
  ///
  /// - Returns: The index after it.
  private mutating func readValue(
    _ characters: [Character], from start: Int
  ) throws(TypedTextError) -> Int {
    if start < characters.count, characters[start] == "\"" || characters[start] == "'" {
      return try readQuoted(characters, from: start)
    }
    var end = start
    while end < characters.count, !Self.isWhere(characters, at: end) { end += 1 }
    var last = end
    while last > start, characters[last - 1].isWhitespace { last -= 1 }
    guard last > start else {
      throw TypedTextError(
        "a value is missing", at: start..<start, expected: "'' is empty text, NULL is no value")
    }
    let text = String(characters[start..<last])
    value = text.uppercased() == "NULL" ? nil : text
    valueRange = start..<last
    return end
  }

  private mutating func readQuoted(
    _ characters: [Character], from start: Int
  ) throws(TypedTextError) -> Int {
    var text = ""
    var index = start + 1
    while index < characters.count, characters[index] != characters[start] {
      let isEscape =
        characters[index] == "\\" && index + 1 < characters.count
        && "\"'\\".contains(characters[index + 1])
      if isEscape { index += 1 }
      text.append(characters[index])
      index += 1
    }
    guard index < characters.count else {
      throw TypedTextError("the quote is not closed", at: start..<start + 1)
    }
    value = text
    valueRange = start..<index + 1
    return index + 1
  }

  private mutating func readPredicate(
    _ characters: [Character], from start: Int
  ) throws(TypedTextError) {
    guard let word = characters[start...].firstIndex(where: { !$0.isWhitespace }) else { return }
    guard Self.isWhere(characters, at: word) else {
      throw TypedTextError(
        "this is neither a value nor “where”", at: word..<characters.count,
        expected: "a text with quotes in it is written in quotes")
    }
    let rest = word + 5
    predicateOffset = characters[rest...].firstIndex { !$0.isWhitespace } ?? characters.count
    guard predicateOffset < characters.count else {
      throw TypedTextError("a predicate is missing", at: rest..<rest)
    }
    predicate = String(characters[predicateOffset...])
  }

  /// Whether the word “where” begins at an index.
  private static func isWhere(_ characters: [Character], at index: Int) -> Bool {
    let end = index + 5
    guard end <= characters.count,
      index == 0 || characters[index - 1].isWhitespace || "\"'".contains(characters[index - 1]),
      end == characters.count || characters[end].isWhitespace
    else { return false }
    return String(characters[index..<end]).lowercased() == "where"
  }
}

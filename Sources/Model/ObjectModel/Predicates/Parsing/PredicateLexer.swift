/// Splits the text of a predicate into tokens.
struct PredicateLexer {
  private let text: String
  private let scalars: [UnicodeScalar]
  /// Whether `1990-05-01` without quotes is a text, to be read as a date.
  private let readsDates: Bool
  private var index = 0

  /// The maximum length of a predicate, in UTF-8 bytes.
  static let maximumLength = 65_536

  static func tokens(
    of text: String, readsDates: Bool = false
  ) throws(FetchPredicateError) -> [PredicateToken] {
    guard text.utf8.count <= maximumLength else {
      throw FetchPredicateError(
        "The predicate is too long (\(Value.grouped(text.utf8.count)) bytes; at most "
          + "\(Value.grouped(maximumLength)))", in: String(text.prefix(200)), at: 0..<1)
    }
    var lexer = PredicateLexer(text: text, readsDates: readsDates)
    var tokens: [PredicateToken] = []
    repeat { tokens.append(try lexer.next()) } while tokens.last?.kind != .end
    return tokens
  }

  /// The tokens before the first error; all of them if the text has no error.
  static func tokensBeforeError(in text: String) -> [PredicateToken] {
    var lexer = PredicateLexer(text: String(text.prefix(maximumLength)), readsDates: true)
    var tokens: [PredicateToken] = []
    while let token = try? lexer.next(), token.kind != .end { tokens.append(token) }
    return tokens
  }

  private init(text: String, readsDates: Bool) {
    self.text = text
    self.readsDates = readsDates
    scalars = Array(text.unicodeScalars)
  }

  private var current: UnicodeScalar? { index < scalars.count ? scalars[index] : nil }

  private func peek(_ offset: Int = 1) -> UnicodeScalar? {
    index + offset < scalars.count ? scalars[index + offset] : nil
  }

  private func error(
    _ message: String, from start: Int, expected: String = ""
  ) -> FetchPredicateError {
    FetchPredicateError(
      message, scalars: start..<max(index, start + 1), of: text, expected: expected)
  }

  private mutating func next() throws(FetchPredicateError) -> PredicateToken {
    while let scalar = current, scalar.properties.isWhitespace { index += 1 }
    let start = index
    let kind = try kind()
    return PredicateToken(kind: kind, range: start..<index)
  }

  private mutating func kind() throws(FetchPredicateError) -> PredicateToken.Kind {
    guard let scalar = current else { return .end }
    switch scalar {
    case "'", "\"": return .string(try quoted(by: scalar))
    case "`": return .name(try backquoted())
    case "$":
      index += 1
      return .variable(current == "`" ? try backquoted() : try name(after: "$"))
    case "#":
      index += 1
      return .name(try name(after: "#"))
    case "@":
      index += 1
      return .name("@" + (try name(after: "@")))
    case "%": return try argument()
    case "0"..."9":
      if readsDates, let date = date() { return .string(date) }
      return .number(try number())
    case "." where peek().map { ("0"..."9").contains($0) } ?? false:
      return .number(try number())
    default: break
    }
    if PredicateWords.beginsName(scalar) { return .word(functionName()) }
    for length in [2, 1] where index + length <= scalars.count {
      let sign = String(String.UnicodeScalarView(scalars[index..<index + length]))
      if Self.symbols.contains(sign) {
        index += length
        return .symbol(sign)
      }
    }
    let start = index
    index += 1
    if Self.typographicQuotes.contains(scalar) {
      throw error("“\(scalar)” is a typographic quote", from: start, expected: "' or \"")
    }
    throw error("“\(scalar)” is not expected here", from: start)
  }

  private static let symbols: Set<String> = [
    "**", "==", "=<", "=>", "<=", ">=", "!=", "<>", "&&", "||", "<<", ">>", "=~", "=", "<", ">",
    "!", "(", ")", "{", "}", "[", "]", ",", "+", "-", "*", "/", ".", "&", "|", "^", "%", "≠", "≤",
    "≥", "~",
  ]

  private static let typographicQuotes: Set<UnicodeScalar> = [
    "“", "”", "„", "‟", "‘", "’", "‚", "‛", "«", "»", "‹", "›",
  ]

  private mutating func plainName() -> String {
    let start = index
    while let scalar = current, PredicateWords.continuesName(scalar) { index += 1 }
    return String(String.UnicodeScalarView(scalars[start..<index]))
  }

  private mutating func name(after sign: String) throws(FetchPredicateError) -> String {
    let start = index - 1
    guard let scalar = current, PredicateWords.beginsName(scalar) else {
      throw error("The name after \(sign) is missing", from: start, expected: "a name")
    }
    return plainName()
  }

  /// A name that may contain colons, as in the function `add:to:`.
  private mutating func functionName() -> String {
    var name = plainName()
    while current == ":" {
      index += 1
      name += ":" + plainName()
    }
    return name
  }

  private mutating func backquoted() throws(FetchPredicateError) -> String {
    let start = index
    index += 1
    var name = String.UnicodeScalarView()
    while let scalar = current {
      index += 1
      if scalar != "`" {
        name.append(scalar)
      } else if current == "`" {
        name.append("`")
        index += 1
      } else if name.isEmpty {
        throw error("The name between the backquotes is missing", from: start, expected: "a name")
      } else {
        return String(name)
      }
    }
    throw error("The closing backquote is missing", from: start, expected: "`")
  }

  private mutating func number() throws(FetchPredicateError) -> String {
    let start = index
    var isRadix = false
    if current == "0", let letter = peek(), "xXbBoO".unicodeScalars.contains(letter) {
      isRadix = true
      index += 2
    }
    while let scalar = current {
      let isSign = scalar == "+" || scalar == "-"
      let previous = scalars[index - (index > start ? 1 : 0)]
      if isSign, isRadix || previous != "e" && previous != "E" { break }
      if scalar == ".", isRadix || !(peek().map { ("0"..."9").contains($0) } ?? false) { break }
      guard isSign || scalar == "." || PredicateWords.continuesName(scalar) else { break }
      index += 1
    }
    let digits = String(String.UnicodeScalarView(scalars[start..<index]))
    guard PredicateNumber.value(digits) != nil else {
      throw error("“\(digits)” is not a number", from: start)
    }
    return digits
  }

  /// A date without quotes, `1990-05-01` and possibly a time; nil if there is none here.
  private mutating func date() -> String? {
    let start = index
    guard skip("9999-"), skipDigits(2), skip("-"), skipDigits(2) else {
      index = start
      return nil
    }
    let day = index
    if let separator = current, "Tt ".unicodeScalars.contains(separator) {
      index += 1
      if skip("99:99") {
        if skip(":99"), current == "." {
          index += 1
          while let digit = current, ("0"..."9").contains(digit) { index += 1 }
        }
        let hasZone = skip("Z") || skip("+99:99") || skip("-99:99") || skip("+9999")
        _ = hasZone || skip("-9999") || skip("+99") || skip("-99")
      } else {
        index = day
      }
    }
    if let next = current, PredicateWords.continuesName(next) || next == "-" {
      index = start
      return nil
    }
    return String(String.UnicodeScalarView(scalars[start..<index]))
  }

  /// Skips scalars that match a pattern, in which 9 is any digit; nothing if they do not.
  private mutating func skip(_ pattern: String) -> Bool {
    let start = index
    for wanted in pattern.unicodeScalars {
      guard let scalar = current,
        wanted == "9" ? ("0"..."9").contains(scalar) : scalar == wanted
      else {
        index = start
        return false
      }
      index += 1
    }
    return true
  }

  /// Skips one to a number of digits.
  private mutating func skipDigits(_ most: Int) -> Bool {
    let start = index
    while let digit = current, ("0"..."9").contains(digit), index < start + most { index += 1 }
    return index > start
  }

  private mutating func argument() throws(FetchPredicateError) -> PredicateToken.Kind {
    let start = index
    index += 1
    // A remainder in other languages: the parser says how it is written here.
    if let next = current,
      next.properties.isWhitespace || "0123456789($`#".unicodeScalars.contains(next)
    {
      return .symbol("%")
    }
    var letters = ""
    while let scalar = current, "hlqLtzj".unicodeScalars.contains(scalar), letters.count < 3 {
      letters.unicodeScalars.append(scalar)
      index += 1
    }
    if let scalar = current, "@KdDiuUxXoOfFeEgGaA".unicodeScalars.contains(scalar),
      letters.isEmpty || scalar != "@" && scalar != "K"
    {
      letters.unicodeScalars.append(scalar)
      index += 1
      return .argument(letters)
    }
    throw error("This is not a format specifier", from: start, expected: "%@, %K, %d or %f")
  }

  private mutating func quoted(by quote: UnicodeScalar) throws(FetchPredicateError) -> String {
    let start = index
    index += 1
    var content = String.UnicodeScalarView()
    while let scalar = current {
      index += 1
      if scalar == quote { return String(content) }
      guard scalar == "\\", let escaped = current else {
        content.append(scalar)
        continue
      }
      index += 1
      switch escaped {
      case "n": content.append("\n")
      case "t": content.append("\t")
      case "r": content.append("\r")
      case "'", "\"", "\\": content.append(escaped)
      case "u": content.append(try unicodeEscape())
      default: content.append(contentsOf: [scalar, escaped])
      }
    }
    throw error("The closing quote is missing", from: start, expected: "\(quote)")
  }

  /// The scalar of four hexadecimal digits after `\u`, or of two such escapes that form a surrogate
  /// pair.
  private mutating func unicodeEscape() throws(FetchPredicateError) -> UnicodeScalar {
    let start = index - 2
    var code = try hexDigits(from: start)
    if (0xD800..<0xDC00).contains(code), current == "\\", peek() == "u" {
      index += 2
      let low = try hexDigits(from: start)
      if (0xDC00..<0xE000).contains(low) { code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00) }
    }
    guard let scalar = UnicodeScalar(code) else {
      throw error("This is not a Unicode scalar", from: start)
    }
    return scalar
  }

  private mutating func hexDigits(from start: Int) throws(FetchPredicateError) -> UInt32 {
    var code: UInt32 = 0
    for _ in 0..<4 {
      guard let scalar = current, let digit = Character(scalar).hexDigitValue, scalar.isASCII else {
        throw error(
          "The escape is incomplete", from: start, expected: "four hexadecimal digits after \\u")
      }
      code = code << 4 | UInt32(digit)
      index += 1
    }
    return code
  }
}

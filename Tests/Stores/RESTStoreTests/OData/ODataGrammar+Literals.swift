import Foundation

/// Literals in a URL, and JSON in one.
extension ODataGrammar {
  mutating func literal() throws(Rejection) {
    if peek == "'" { return try string() }
    let start = position
    // The longest text that can be a literal without quotes.
    while let next = peek, Self.isNamePart(next) || "+-.:".unicodeScalars.contains(next) {
      position += 1
    }
    let word = string(from: start, to: position)
    if peek == "'" {
      position = start
      switch word.lowercased() {
      case "duration": return try prefixed(word, Self.isDuration)
      case "binary": return try prefixed(word) { $0.isBase64 }
      case "geography", "geometry":
        return try prefixed(word) { $0.hasPrefix("SRID=") }
      default: return try enumLiteral()
      }
    }
    let isKnown =
      ["null", "true", "false"].contains(word.lowercased())
      || Self.isDecimal(word[...]) || UUID(uuidString: word) != nil || Self.isDate(word[...])
      || Self.isTime(word[...]) || Self.isMoment(word[...])
    guard isKnown else {
      position = start
      throw Rejection()
    }
  }

  mutating func enumLiteral() throws(Rejection) {
    if peek != "'" {
      try identifier()
      guard peek == "." else { throw Rejection() }
      while take(".") { try identifier() }
    }
    try prefixed("") { Self.isEnum($0) }
  }

  mutating func prefixed(_ prefix: String, _ test: (String) -> Bool) throws(Rejection) {
    guard prefix.isEmpty || word(prefix) else { throw Rejection() }
    let start = position
    try string()
    guard test(string(from: start + 1, to: position - 1)) else { throw Rejection() }
  }

  mutating func string() throws(Rejection) {
    try expect("'")
    while let next = peek {
      position += 1
      guard next == "'" else { continue }
      guard peek == "'" else { return }
      position += 1
    }
    throw Rejection()
  }

  /// An array or an object, whose members may be expressions.
  mutating func json() throws(Rejection) {
    skipBlanks()
    if take("[") {
      skipBlanks()
      if take("]") { return }
      try list { parser throws(Rejection) in
        try parser.json()
        parser.skipBlanks()
      }
      return try expect("]")
    }
    if take("{") {
      skipBlanks()
      if take("}") { return }
      try list { parser throws(Rejection) in
        parser.skipBlanks()
        try parser.jsonString()
        parser.skipBlanks()
        try parser.expect(":")
        try parser.json()
        parser.skipBlanks()
      }
      return try expect("}")
    }
    if peek == "\"" { return try jsonString() }
    try expression()
  }

  mutating func jsonString() throws(Rejection) {
    try expect("\"")
    while let next = peek {
      position += 1
      if next == "\\" { position += 1 } else if next == "\"" { return }
    }
    throw Rejection()
  }
}

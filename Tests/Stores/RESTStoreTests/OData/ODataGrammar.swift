import Foundation

/// A parser of what of OData's URL grammar a client writes: expressions, keys, orders, `$apply`.
///
/// It only accepts or rejects. It is written after the rules of OData's ABNF, and knows nothing of
/// what this package writes.
struct ODataGrammar {
  struct Rejection: Error {}

  /// The names by the rule that they are of, as `entityFunction`; empty takes any name as any.
  var names: [String: Set<String>] = [:]
  var text: [UnicodeScalar] = []
  var position = 0

  init(names: [String: Set<String>] = [:]) { self.names = names }

  // MARK: Rules

  /// Whether a percent-encoded text is of a rule.
  func accepts(_ encoded: String, as rule: String) -> Bool {
    var parser = self
    return parser.read(encoded, as: rule)
  }

  mutating func read(_ encoded: String, as rule: String) -> Bool {
    let isValue = rule.hasSuffix("Value") || ["date", "guid", "boolean"].contains(rule)
    guard let decoded = isValue ? encoded : encoded.removingPercentEncoding else { return false }
    if rule == "queryOptions" {
      return encoded.split(separator: "&", omittingEmptySubsequences: false).allSatisfy {
        option(String($0))
      }
    }
    if rule == "resourcePath" { return path(encoded) }
    return accepts(decoded) { parser throws(Rejection) in try parser.parse(rule) }
  }

  mutating func accepts(
    _ decoded: String, _ rule: (inout ODataGrammar) throws(Rejection) -> Void
  ) -> Bool {
    text = Array(decoded.unicodeScalars)
    position = 0
    do {
      try rule(&self)
      return position == text.count
    } catch {
      return false
    }
  }

  mutating func parse(_ rule: String) throws(Rejection) {
    switch rule.lowercased() {
    case "commonexpr", "boolcommonexpr", "firstmemberexpr", "propertypathexpr", "notexpr",
      "isofexpr":
      try expression()
    case "anyexpr", "allexpr": try lambda()
    case "filter", "orderby": try systemOption()
    case "stringliteral": try string()
    case "binaryliteral": try prefixed("binary") { $0.isBase64 }
    case "durationliteral":
      try prefixed(peek == "'" ? "" : "duration", Self.isDuration)
    case "enumliteral": try enumLiteral()
    case "enumvalue": try whole { Self.isEnum($0) }
    case "booleanvalue": try whole { ["true", "false"].contains($0) }
    case "boolean": try whole { ["true", "false"].contains($0.lowercased()) }
    case "guid": try whole { UUID(uuidString: $0) != nil }
    case "date", "datevalue": try whole { Self.isDate($0[...]) }
    case "datetimeoffsetvalue", "datetimeoffsetliteral", "datetimeoffsetvalueinurl":
      try whole { Self.isMoment($0[...]) }
    case "timeofdayvalue", "timeofdayliteral": try whole { Self.isTime($0[...]) }
    case "durationvalue": try whole(Self.isDuration)
    case "decimalvalue", "doublevalue", "singlevalue", "decimalliteral", "doubleliteral",
      "singleliteral":
      try whole { Self.isDecimal($0[...]) }
    case "bytevalue", "sbytevalue", "sbyteliteral", "int16value", "int16literal", "int32value",
      "int32literal", "int64value", "int64literal":
      try whole { $0.wholeMatch(of: #/[+-]?\d{1,19}/#) != nil }
    case "primitiveliteral": try literal()
    default: throw Rejection()
    }
  }

  mutating func whole(_ test: (String) -> Bool) throws(Rejection) {
    guard test(string(from: position, to: text.count)) else { throw Rejection() }
    position = text.count
  }

  static func isTime(_ text: Substring) -> Bool {
    text.wholeMatch(of: #/([01]\d|2[0-3]):[0-5]\d(:([0-5]\d|60)(\.\d{1,12})?)?/#) != nil
  }

  static func isDate(_ text: Substring) -> Bool {
    let pattern = #/-?(0\d{3}|[1-9]\d{3,})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])/#
    return text.wholeMatch(of: pattern) != nil
  }

  static func isMoment(_ text: Substring) -> Bool {
    let parts = text.uppercased().split(separator: "T", maxSplits: 1)
    guard parts.count == 2, isDate(parts[0]) else { return false }
    if parts[1].hasSuffix("Z") { return isTime(parts[1].dropLast()) }
    guard let sign = parts[1].lastIndex(where: { "+-".contains($0) }) else { return false }
    let zone = parts[1][parts[1].index(after: sign)...]
    return isTime(parts[1][..<sign]) && zone.count == 5 && isTime(zone)
  }

  static func isDecimal(_ text: Substring) -> Bool {
    text.wholeMatch(of: #/[+-]?\d+(\.\d+)?([eE][+-]?\d+)?|-?INF|NaN/#) != nil
  }
  static func isDuration(_ text: String) -> Bool {
    text.wholeMatch(of: #/[+-]?P(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+(\.\d+)?S)?)?/#) != nil
      && !text.hasPrefix("+") && text != "P" && text != "-P"
  }

  static func isEnum(_ text: String) -> Bool {
    text.wholeMatch(of: #/([A-Za-z_]\w*|[+-]?\d+)(,([A-Za-z_]\w*|[+-]?\d+))*/#) != nil
  }

  // MARK: Options and paths

  mutating func option(_ encoded: String) -> Bool {
    guard let decoded = encoded.removingPercentEncoding else { return false }
    return accepts(decoded) { parser throws(Rejection) in try parser.systemOption() }
  }

  mutating func systemOption() throws(Rejection) {
    guard let end = text.firstIndex(of: "=") else { throw Rejection() }
    let name = string(from: 0, to: end).lowercased()
    position = end + 1
    switch name.hasPrefix("$") ? String(name.dropFirst()) : name {
    case "filter": try expression()
    case "orderby": try order()
    case "apply": try transformations()
    case "top", "skip": try whole { $0.wholeMatch(of: #/\d+/#) != nil }
    case "count": try whole { ["true", "false"].contains($0) }
    case "expand", "select": try list { parser throws(Rejection) in try parser.selected() }
    default: throw Rejection()
    }
  }

  /// A path of `$select` or `$expand`, with options.
  mutating func selected() throws(Rejection) {
    try member()
    guard take("(") else { return }
    var depth = 1
    let start = position
    while depth > 0 {
      guard let next = peek else { throw Rejection() }
      if next == "(" { depth += 1 } else if next == ")" { depth -= 1 }
      position += 1
    }
    for option in string(from: start, to: position - 1).split(separator: ";") {
      var inner = ODataGrammar(names: names)
      guard inner.accepts(String(option), { parser throws(Rejection) in try parser.systemOption() })
      else { throw Rejection() }
    }
  }

  mutating func order() throws(Rejection) {
    try list { parser throws(Rejection) in
      try parser.expression()
      let start = parser.position
      if parser.skipBlanks() > 0, parser.word("asc") || parser.word("desc") { return }
      parser.position = start
    }
  }

  /// A path from the root of a service: names with keys.
  mutating func path(_ encoded: String) -> Bool {
    // Slashes in quotes must be encoded, so that servers can split paths before they decode.
    encoded.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { segment in
      guard let decoded = String(segment).removingPercentEncoding else { return false }
      return accepts(decoded) { parser throws(Rejection) in
        if decoded.wholeMatch(of: #/-?\d+/#) != nil {
          parser.position = decoded.count
          return
        }
        try parser.identifier()
        while parser.peek == "(" { try parser.key() }
      }
    }
  }

  mutating func key() throws(Rejection) {
    try expect("(")
    let start = position
    if (try? identifier()) != nil, take("=") {
      position = start
      try list { parser throws(Rejection) in
        try parser.identifier()
        try parser.expect("=")
        try parser.keyValue()
      }
    } else {
      position = start
      try keyValue()
    }
    try expect(")")
  }

  mutating func keyValue() throws(Rejection) {
    if take("@") { try identifier() } else { try literal() }
  }

  // MARK: Expressions

  mutating func expression() throws(Rejection) { try binary(0) }

  static let operators: [[String]] = [
    ["or"], ["and"], ["eq", "ne"], ["lt", "le", "gt", "ge", "has", "in"], ["add", "sub"],
    ["mul", "div", "divby", "mod"],
  ]

  mutating func binary(_ level: Int) throws(Rejection) {
    guard level < Self.operators.count else { return try unary() }
    try binary(level + 1)
    while true {
      let start = position
      guard skipBlanks() > 0, let found = Self.operators[level].first(where: { word($0) }) else {
        position = start
        return
      }
      guard skipBlanks() > 0 else { throw Rejection() }
      if found == "in", peek == "(" { try literals() } else { try binary(level + 1) }
    }
  }

  /// `('a','b')`; one member expression is allowed, too: it is an expression in parentheses.
  mutating func literals() throws(Rejection) {
    let start = position
    try expect("(")
    skipBlanks()
    if take(")") { return }
    do {
      try list { parser throws(Rejection) in
        parser.skipBlanks()
        try parser.literal()
        parser.skipBlanks()
      }
      try expect(")")
    } catch {
      position = start
      try parenthesized()
    }
  }

  mutating func parenthesized() throws(Rejection) {
    try expect("(")
    skipBlanks()
    try expression()
    skipBlanks()
    try expect(")")
  }

  mutating func unary() throws(Rejection) {
    let start = position
    if word("not"), skipBlanks() > 0 { return try unary() }
    position = start
    if peek == "(" { return try parenthesized() }
    if peek == "[" || peek == "{" { return try json() }
    if (try? literal()) != nil, !isNameNext { return }
    position = start
    if take("-") {
      skipBlanks()
      return try unary()
    }
    try member()
  }

  /// Whether what comes next would make a literal before it a part of a name.
  var isNameNext: Bool {
    guard let next = peek else { return false }
    return next == "/" || next == "(" || next == "." || Self.isNamePart(next)
  }

  // MARK: Characters

  var peek: UnicodeScalar? { position < text.count ? text[position] : nil }

  func string(from start: Int, to end: Int) -> String {
    guard start <= end, end <= text.count else { return "" }
    return String(String.UnicodeScalarView(text[start..<end]))
  }

  mutating func take(_ scalar: UnicodeScalar) -> Bool {
    guard peek == scalar else { return false }
    position += 1
    return true
  }

  mutating func expect(_ scalar: UnicodeScalar) throws(Rejection) {
    guard take(scalar) else { throw Rejection() }
  }

  @discardableResult mutating func skipBlanks() -> Int {
    let start = position
    while peek == " " || peek == "\t" { position += 1 }
    return position - start
  }

  /// Reads a word in any case, if a name does not go on after it.
  mutating func word(_ word: String) -> Bool {
    let end = position + word.unicodeScalars.count
    guard end <= text.count, string(from: position, to: end).lowercased() == word.lowercased(),
      end == text.count || !Self.isNamePart(text[end])
    else { return false }
    position = end
    return true
  }

  static func isNamePart(_ scalar: UnicodeScalar) -> Bool {
    scalar == "_" || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
  }

  @discardableResult mutating func identifier() throws(Rejection) -> String {
    let start = position
    guard let first = peek, Self.isNamePart(first), !("0"..."9").contains(first) else {
      throw Rejection()
    }
    while let next = peek, Self.isNamePart(next) { position += 1 }
    return string(from: start, to: position)
  }

  /// One or more, with commas between.
  mutating func list(_ element: (inout ODataGrammar) throws(Rejection) -> Void)
    throws(Rejection)
  {
    try element(&self)
    while take(",") {
      skipBlanks()
      try element(&self)
    }
  }
}

extension String {
  /// Whether it is base64 in the alphabet of addresses, with or without padding.
  var isBase64: Bool { wholeMatch(of: #/[A-Za-z0-9_-]*=?=?/#) != nil }
}

import Foundation

/// A parser of what of OData's URL grammar a client writes: expressions, keys, orders, `$apply`.
///
/// It only accepts or rejects. It is written after the rules of OData's ABNF, and knows nothing of
/// what this package writes.
struct ODataGrammar {
  struct Rejection: Error {}

  /// The names by the rule that they are of, as `entityFunction`; empty takes any name as any.
  var names: [String: Set<String>] = [:]
  private var text: [UnicodeScalar] = []
  private var position = 0

  init(names: [String: Set<String>] = [:]) { self.names = names }

  // MARK: Rules

  /// Whether a percent-encoded text is of a rule.
  func accepts(_ encoded: String, as rule: String) -> Bool {
    var parser = self
    return parser.read(encoded, as: rule)
  }

  private mutating func read(_ encoded: String, as rule: String) -> Bool {
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

  private mutating func accepts(
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

  private mutating func parse(_ rule: String) throws(Rejection) {
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

  private mutating func whole(_ test: (String) -> Bool) throws(Rejection) {
    guard test(string(from: position, to: text.count)) else { throw Rejection() }
    position = text.count
  }

  private static func isTime(_ text: Substring) -> Bool {
    text.wholeMatch(of: #/([01]\d|2[0-3]):[0-5]\d(:([0-5]\d|60)(\.\d{1,12})?)?/#) != nil
  }

  private static func isDate(_ text: Substring) -> Bool {
    let pattern = #/-?(0\d{3}|[1-9]\d{3,})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])/#
    return text.wholeMatch(of: pattern) != nil
  }

  private static func isMoment(_ text: Substring) -> Bool {
    let parts = text.uppercased().split(separator: "T", maxSplits: 1)
    guard parts.count == 2, isDate(parts[0]) else { return false }
    if parts[1].hasSuffix("Z") { return isTime(parts[1].dropLast()) }
    guard let sign = parts[1].lastIndex(where: { "+-".contains($0) }) else { return false }
    let zone = parts[1][parts[1].index(after: sign)...]
    return isTime(parts[1][..<sign]) && zone.count == 5 && isTime(zone)
  }

  private static func isDecimal(_ text: Substring) -> Bool {
    text.wholeMatch(of: #/[+-]?\d+(\.\d+)?([eE][+-]?\d+)?|-?INF|NaN/#) != nil
  }
  private static func isDuration(_ text: String) -> Bool {
    text.wholeMatch(of: #/[+-]?P(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+(\.\d+)?S)?)?/#) != nil
      && !text.hasPrefix("+") && text != "P" && text != "-P"
  }

  private static func isEnum(_ text: String) -> Bool {
    text.wholeMatch(of: #/([A-Za-z_]\w*|[+-]?\d+)(,([A-Za-z_]\w*|[+-]?\d+))*/#) != nil
  }

  // MARK: Options and paths

  private mutating func option(_ encoded: String) -> Bool {
    guard let decoded = encoded.removingPercentEncoding else { return false }
    return accepts(decoded) { parser throws(Rejection) in try parser.systemOption() }
  }

  private mutating func systemOption() throws(Rejection) {
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
  private mutating func selected() throws(Rejection) {
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

  private mutating func order() throws(Rejection) {
    try list { parser throws(Rejection) in
      try parser.expression()
      let start = parser.position
      if parser.skipBlanks() > 0, parser.word("asc") || parser.word("desc") { return }
      parser.position = start
    }
  }

  /// A path from the root of a service: names with keys.
  private mutating func path(_ encoded: String) -> Bool {
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

  private mutating func key() throws(Rejection) {
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

  private mutating func keyValue() throws(Rejection) {
    if take("@") { try identifier() } else { try literal() }
  }

  // MARK: Expressions

  private mutating func expression() throws(Rejection) { try binary(0) }

  private static let operators: [[String]] = [
    ["or"], ["and"], ["eq", "ne"], ["lt", "le", "gt", "ge", "has", "in"], ["add", "sub"],
    ["mul", "div", "divby", "mod"],
  ]

  private mutating func binary(_ level: Int) throws(Rejection) {
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
  private mutating func literals() throws(Rejection) {
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

  private mutating func parenthesized() throws(Rejection) {
    try expect("(")
    skipBlanks()
    try expression()
    skipBlanks()
    try expect(")")
  }

  private mutating func unary() throws(Rejection) {
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
  private var isNameNext: Bool {
    guard let next = peek else { return false }
    return next == "/" || next == "(" || next == "." || Self.isNamePart(next)
  }

  // MARK: Members

  /// A path to a property, a function, a lambda operator.
  private mutating func member() throws(Rejection) {
    if take("@") {
      try identifier()
      while take(".") { try identifier() }
      if take("#") { try identifier() }
    } else if take("$") {
      let name = try identifier()
      guard ["it", "this", "root", "these"].contains(name) else { throw Rejection() }
      if name == "root" {
        try expect("/")
        try segment(isFirst: true)
      }
    } else {
      try segment(isFirst: true)
    }
    while take("/") {
      if take("$") {
        switch try identifier() {
        case "count":
          if peek == "(" { try filterOption() }
          return
        case "filter": try parenthesized()
        default: throw Rejection()
        }
        if peek == "(" { try key() }
      } else if take("@") {
        try identifier()
        while take(".") { try identifier() }
        if take("#") { try identifier() }
      } else if isLambda {
        return try lambda()
      } else if isWord("aggregate") {
        return try transformation()
      } else {
        try segment(isFirst: false)
      }
    }
  }

  private mutating func filterOption() throws(Rejection) {
    try expect("(")
    guard take("$"), try identifier() == "filter", take("=") else { throw Rejection() }
    try expression()
    try expect(")")
  }

  private var isLambda: Bool { isWord("any") || isWord("all") }

  private func isWord(_ word: String) -> Bool {
    var copy = self
    return copy.word(word) && copy.peek == "("
  }

  private mutating func lambda() throws(Rejection) {
    let isAll = word("all")
    guard isAll || word("any") else { throw Rejection() }
    try expect("(")
    skipBlanks()
    if take(")") {
      if isAll { throw Rejection() }
      return
    }
    try identifier()
    skipBlanks()
    try expect(":")
    skipBlanks()
    try expression()
    skipBlanks()
    try expect(")")
  }

  private static let functions: Set<String> = [
    "concat", "contains", "endswith", "indexof", "length", "startswith", "substring", "hassubset",
    "hassubsequence", "matchesPattern", "tolower", "toupper", "trim", "date", "day",
    "fractionalseconds", "hour", "maxdatetime", "mindatetime", "minute", "month", "now", "second",
    "time", "totaloffsetminutes", "totalseconds", "year", "ceiling", "floor", "round", "cast",
    "isof", "distance", "intersects", "length", "case",
    "isdefined",
  ]

  /// A name with what is in parentheses after it.
  private mutating func segment(isFirst: Bool) throws(Rejection) {
    var parts = [try identifier()]
    while take(".") { parts.append(try identifier()) }
    let name = parts.last ?? ""
    guard peek == "(" else {
      // A function has parentheses, unless another name is the same.
      if isOf("Function", name), !isOf("Property", name), !isOf("TypeName", name) {
        throw Rejection()
      }
      return
    }
    let isBuiltIn = Self.functions.contains(name) && (parts.count == 1 || parts[0] == "geo")
    if isFirst, isBuiltIn { return try arguments() }
    if isFirst, ["any", "all"].contains(name), parts.count == 1 { throw Rejection() }
    let start = position
    do {
      try key()
    } catch {
      position = start
      try parameters()
    }
    if peek == "(" { try key() }
  }

  private func isOf(_ rule: String, _ name: String) -> Bool {
    names.contains { $0.key.hasSuffix(rule) && $0.value.contains(name) }
  }

  private mutating func arguments() throws(Rejection) {
    try expect("(")
    skipBlanks()
    if take(")") { return }
    try list { parser throws(Rejection) in
      parser.skipBlanks()
      try parser.expression()
      parser.skipBlanks()
      if parser.take(":") {
        parser.skipBlanks()
        try parser.expression()
      }
    }
    try expect(")")
  }

  private mutating func parameters() throws(Rejection) {
    try expect("(")
    if take(")") { return }
    try list { parser throws(Rejection) in
      try parser.identifier()
      try parser.expect("=")
      try parser.expression()
    }
    try expect(")")
  }

  // MARK: Transformations

  private mutating func transformations() throws(Rejection) {
    repeat { try transformation() } while take("/")
  }

  private mutating func transformation() throws(Rejection) {
    let start = position
    let name = try identifier()
    if name == "identity" { return }
    guard peek == "(" || peek == "." else { throw Rejection() }
    switch peek == "(" ? name : "" {
    case "filter": try parenthesized()
    case "groupby":
      try expect("(")
      skipBlanks()
      try expect("(")
      try list { parser throws(Rejection) in try parser.grouped() }
      try expect(")")
      if take(",") {
        skipBlanks()
        try transformations()
      }
      try expect(")")
    case "aggregate":
      try expect("(")
      try list { parser throws(Rejection) in
        parser.skipBlanks()
        try parser.aggregated()
        parser.skipBlanks()
      }
      try expect(")")
    case "concat":
      try expect("(")
      try list { parser throws(Rejection) in
        parser.skipBlanks()
        try parser.transformations()
        parser.skipBlanks()
      }
      try expect(")")
    case "compute":
      try expect("(")
      try list { parser throws(Rejection) in
        try parser.expression()
        try parser.alias()
      }
      try expect(")")
    case "orderby":
      try expect("(")
      try order()
      try expect(")")
    case "topcount", "bottomcount", "topsum", "toppercent", "top", "skip": try arguments()
    default:
      position = start
      try segment(isFirst: false)
    }
  }

  /// What is grouped by: a path to a value, or to one object at the end; no collection on the way.
  private mutating func grouped() throws(Rejection) {
    if isWord("rollup") {
      _ = word("rollup")
      try expect("(")
      try list { parser throws(Rejection) in try parser.grouped() }
      return try expect(")")
    }
    var isEnded = false
    var isTyped = false
    repeat {
      if isEnded { throw Rejection() }
      guard peek != "@" else { throw Rejection() }
      var parts = [try identifier()]
      while take(".") { parts.append(try identifier()) }
      let name = parts.last ?? ""
      isTyped = parts.count > 1
      isEnded = isOf("NonKeyProperty", name) && !isOf("NavigationProperty", name)
      if isOf("ColNavigationProperty", name), peek == "/" { throw Rejection() }
    } while take("/")
    if isTyped { throw Rejection() }
  }

  private mutating func aggregated() throws(Rejection) {
    let start = position
    if take("$"), try identifier() == "count" {
      if peek == ")" { return }
      return try alias()
    }
    position = start
    if let name = try? identifier(), isOf("customAggregate", name), peek == ")" || peek == "," {
      return
    }
    position = start
    try expression()
    while isNext("with") {
      skipBlanks()
      _ = word("with")
      guard skipBlanks() > 0 else { throw Rejection() }
      try identifier()
      guard isNext("from") else { continue }
      skipBlanks()
      _ = word("from")
      guard skipBlanks() > 0 else { throw Rejection() }
      try member()
    }
    if isNext("as") { try alias() }
  }

  /// Whether a word comes after blanks.
  private func isNext(_ word: String) -> Bool {
    var copy = self
    return copy.skipBlanks() > 0 && copy.word(word)
  }

  private mutating func alias() throws(Rejection) {
    guard skipBlanks() > 0, word("as"), skipBlanks() > 0 else { throw Rejection() }
    try identifier()
  }

  // MARK: Literals

  private mutating func literal() throws(Rejection) {
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

  private mutating func enumLiteral() throws(Rejection) {
    if peek != "'" {
      try identifier()
      guard peek == "." else { throw Rejection() }
      while take(".") { try identifier() }
    }
    try prefixed("") { Self.isEnum($0) }
  }

  private mutating func prefixed(_ prefix: String, _ test: (String) -> Bool) throws(Rejection) {
    guard prefix.isEmpty || word(prefix) else { throw Rejection() }
    let start = position
    try string()
    guard test(string(from: start + 1, to: position - 1)) else { throw Rejection() }
  }

  private mutating func string() throws(Rejection) {
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
  private mutating func json() throws(Rejection) {
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

  private mutating func jsonString() throws(Rejection) {
    try expect("\"")
    while let next = peek {
      position += 1
      if next == "\\" { position += 1 } else if next == "\"" { return }
    }
    throw Rejection()
  }

  // MARK: Characters

  private var peek: UnicodeScalar? { position < text.count ? text[position] : nil }

  private func string(from start: Int, to end: Int) -> String {
    guard start <= end, end <= text.count else { return "" }
    return String(String.UnicodeScalarView(text[start..<end]))
  }

  private mutating func take(_ scalar: UnicodeScalar) -> Bool {
    guard peek == scalar else { return false }
    position += 1
    return true
  }

  private mutating func expect(_ scalar: UnicodeScalar) throws(Rejection) {
    guard take(scalar) else { throw Rejection() }
  }

  @discardableResult private mutating func skipBlanks() -> Int {
    let start = position
    while peek == " " || peek == "\t" { position += 1 }
    return position - start
  }

  /// Reads a word in any case, if a name does not go on after it.
  private mutating func word(_ word: String) -> Bool {
    let end = position + word.unicodeScalars.count
    guard end <= text.count, string(from: position, to: end).lowercased() == word.lowercased(),
      end == text.count || !Self.isNamePart(text[end])
    else { return false }
    position = end
    return true
  }

  private static func isNamePart(_ scalar: UnicodeScalar) -> Bool {
    scalar == "_" || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
  }

  @discardableResult private mutating func identifier() throws(Rejection) -> String {
    let start = position
    guard let first = peek, Self.isNamePart(first), !("0"..."9").contains(first) else {
      throw Rejection()
    }
    while let next = peek, Self.isNamePart(next) { position += 1 }
    return string(from: start, to: position)
  }

  /// One or more, with commas between.
  private mutating func list(_ element: (inout ODataGrammar) throws(Rejection) -> Void)
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
  fileprivate var isBase64: Bool { wholeMatch(of: #/[A-Za-z0-9_-]*=?=?/#) != nil }
}

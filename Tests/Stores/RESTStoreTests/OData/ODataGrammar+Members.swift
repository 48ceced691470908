import Foundation

/// Members of a path: properties, functions, lambdas and type casts.
extension ODataGrammar {
  /// A path to a property, a function, a lambda operator.
  mutating func member() throws(Rejection) {
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

  mutating func filterOption() throws(Rejection) {
    try expect("(")
    guard take("$"), try identifier() == "filter", take("=") else { throw Rejection() }
    try expression()
    try expect(")")
  }

  var isLambda: Bool { isWord("any") || isWord("all") }

  func isWord(_ word: String) -> Bool {
    var copy = self
    return copy.word(word) && copy.peek == "("
  }

  mutating func lambda() throws(Rejection) {
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

  static let functions: Set<String> = [
    "concat", "contains", "endswith", "indexof", "length", "startswith", "substring", "hassubset",
    "hassubsequence", "matchesPattern", "tolower", "toupper", "trim", "date", "day",
    "fractionalseconds", "hour", "maxdatetime", "mindatetime", "minute", "month", "now", "second",
    "time", "totaloffsetminutes", "totalseconds", "year", "ceiling", "floor", "round", "cast",
    "isof", "distance", "intersects", "length", "case",
    "isdefined",
  ]

  /// A name with what is in parentheses after it.
  mutating func segment(isFirst: Bool) throws(Rejection) {
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

  func isOf(_ rule: String, _ name: String) -> Bool {
    names.contains { $0.key.hasSuffix(rule) && $0.value.contains(name) }
  }

  mutating func arguments() throws(Rejection) {
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

  mutating func parameters() throws(Rejection) {
    try expect("(")
    if take(")") { return }
    try list { parser throws(Rejection) in
      try parser.identifier()
      try parser.expect("=")
      try parser.expression()
    }
    try expect(")")
  }
}

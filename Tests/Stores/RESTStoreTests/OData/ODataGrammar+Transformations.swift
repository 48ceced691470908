import Foundation

/// The transformations of `$apply`.
extension ODataGrammar {
  mutating func transformations() throws(Rejection) {
    repeat { try transformation() } while take("/")
  }

  mutating func transformation() throws(Rejection) {
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
  mutating func grouped() throws(Rejection) {
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

  mutating func aggregated() throws(Rejection) {
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
  func isNext(_ word: String) -> Bool {
    var copy = self
    return copy.skipBlanks() > 0 && copy.word(word)
  }

  mutating func alias() throws(Rejection) {
    guard skipBlanks() > 0, word("as"), skipBlanks() > 0 else { throw Rejection() }
    try identifier()
  }
}

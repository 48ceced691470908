/// A CHECK constraint of a table, read from the statement that created the table.
struct CheckConstraint: Hashable {
  /// The expression, in parentheses, as it was written.
  let expression: String

  /// Finds the constraints in a CREATE TABLE statement that SQLite has accepted.
  static func all(in statement: String) -> [CheckConstraint] {
    var scanner = SchemaScanner(statement)
    var constraints: [CheckConstraint] = []
    var depth = 0
    while let token = scanner.next() {
      switch token {
      case .open: depth += 1
      case .close: depth -= 1
      case .word(let word) where depth == 1 && word.lowercased() == "check":
        if let expression = scanner.parenthesized() {
          constraints.append(CheckConstraint(expression: expression))
        }
      case .word, .other: break
      }
    }
    return constraints
  }
}

/// Reads a statement of the schema token by token; quoted names, texts and comments are no words.
private struct SchemaScanner {
  enum Token {
    case open, close
    case word(String)
    case other
  }

  private let bytes: [UInt8]
  private var index = 0

  init(_ statement: String) { bytes = Array(statement.utf8) }

  /// The next token; nil at the end.
  mutating func next() -> Token? {
    guard index < bytes.count else { return nil }
    let start = index
    index += 1
    switch bytes[start] {
    case UInt8(ascii: "("): return .open
    case UInt8(ascii: ")"): return .close
    case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"): skip(to: bytes[start])
    case UInt8(ascii: "["): skip(to: UInt8(ascii: "]"))
    case UInt8(ascii: "-") where peek == UInt8(ascii: "-"): skip(to: UInt8(ascii: "\n"))
    case UInt8(ascii: "/") where peek == UInt8(ascii: "*"): skipComment()
    case let byte where Self.isWord(byte):
      while let byte = peek, Self.isWord(byte) { index += 1 }
      return .word(String(decoding: bytes[start..<index], as: UTF8.self))
    default: break
    }
    return .other
  }

  /// Reads what follows in parentheses, with them; nil if something else follows.
  mutating func parenthesized() -> String? {
    var depth = 0
    var start = index
    while let token = next() {
      switch token {
      case .open: depth += 1
      case .close: depth -= 1
      case .word where depth == 0: return nil
      case .word, .other: break
      }
      if depth == 0 {
        guard case .close = token else {
          start = index  // blanks and comments before it
          continue
        }
        return String(decoding: bytes[start..<index], as: UTF8.self)
      }
    }
    return nil
  }

  private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

  /// A doubled quote within quotes begins the next quoted part, which is skipped in its turn.
  private mutating func skip(to end: UInt8) {
    while index < bytes.count, bytes[index] != end { index += 1 }
    index += 1
  }

  private mutating func skipComment() {
    index += 1
    while index < bytes.count {
      index += 1
      if bytes[index - 1] == UInt8(ascii: "*"), peek == UInt8(ascii: "/") { break }
    }
    index += 1
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
      true
    default: false
    }
  }
}

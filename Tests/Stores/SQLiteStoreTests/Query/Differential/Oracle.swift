import Foundation

/// A slow and plain evaluator of predicates, which shares no code with the product.
///
/// A predicate is a tree with a text, which the product parses, and a meaning, which this evaluates
/// for objects in memory.
enum Oracle {
  /// A value, or an object, or several.
  indirect enum Val {
    case null
    case int(Int64)
    case real(Double)
    case text(String)
    case date(Double)
    case bytes([UInt8])
    case object(Thing)
    case list([Val])
  }

  /// An object: its values, and the objects that it is related to.
  final class Thing {
    let entity: String
    let number: Int
    var values: [String: Val] = [:]
    var toOne: [String: Thing] = [:]
    var toMany: [String: [Thing]] = [:]

    init(_ entity: String, _ number: Int) { (self.entity, self.number) = (entity, number) }
  }

  /// What an expression means for an object; variables are those of SUBQUERY.
  typealias Meaning = (Thing, [String: Thing]) -> Val

  struct Expression {
    /// How it is written; the closure gives the URI of an object.
    let text: (_ uri: (Thing) -> String) -> String
    let meaning: Meaning
  }

  /// A text that is given a meaning.
  struct Written {
    let text: (_ uri: (Thing) -> String) -> String

    init(_ text: @escaping (_ uri: (Thing) -> String) -> String) { self.text = text }

    func means(_ meaning: @escaping Meaning) -> Expression {
      Expression(text: text, meaning: meaning)
    }
  }

  struct Condition {
    let text: (_ uri: (Thing) -> String) -> String
    let holds: (Thing, [String: Thing]) -> Bool
  }
}

extension Oracle.Val {
  var isNull: Bool { if case .null = self { true } else { false } }

  var real: Double? {
    switch self {
    case .int(let whole): Double(whole)
    case .real(let real): real
    default: nil
    }
  }

  var text: String? { if case .text(let text) = self { text } else { nil } }

  var members: [Oracle.Val] {
    switch self {
    case .list(let members): members
    case .null: []
    default: [self]
    }
  }
}

// MARK: Comparing

extension Oracle {
  static func fold(_ text: String, _ options: String) -> String {
    var text = text
    if options.contains("c") { text = text.lowercased() }
    if options.contains("d") {
      let scalars = text.decomposedStringWithCanonicalMapping.unicodeScalars.filter {
        $0.properties.generalCategory != .nonspacingMark
      }
      text = String(String.UnicodeScalarView(scalars))
    }
    return text
  }

  /// The order of two values that are not null; nil if they cannot be ordered.
  static func order(_ a: Val, _ b: Val, _ options: String) -> Int? {
    func sign<T: Comparable>(_ a: T, _ b: T) -> Int { a < b ? -1 : a == b ? 0 : 1 }
    switch (a, b) {
    case (.int(let a), .int(let b)): return sign(a, b)
    case (.date(let a), .date(let b)): return sign(a, b)
    case (.text(let a), .text(let b)):
      let (a, b) = (Array(fold(a, options).utf8), Array(fold(b, options).utf8))
      return a == b ? 0 : a.lexicographicallyPrecedes(b) ? -1 : 1
    case (.bytes(let a), .bytes(let b)):
      return a == b ? 0 : a.lexicographicallyPrecedes(b) ? -1 : 1
    case (.object(let a), .object(let b)): return a === b ? 0 : nil
    default:
      guard let a = a.real, let b = b.real else { return nil }
      return sign(a, b)
    }
  }

  static func isEqual(_ a: Val, _ b: Val, _ options: String) -> Bool {
    if a.isNull || b.isNull { return a.isNull && b.isNull }
    return order(a, b, options) == 0
  }

  static func holds(_ sign: String, _ a: Val, _ b: Val, _ options: String) -> Bool {
    switch sign {
    case "==", "=": return isEqual(a, b, options)
    case "!=", "<>": return !isEqual(a, b, options)
    case "IN" where b.text == nil:
      return !a.isNull && b.members.contains { isEqual(a, $0, options) && !$0.isNull }
    case "CONTAINS" where a.text == nil && !a.isNull:
      return !b.isNull && a.members.contains { isEqual(b, $0, options) && !$0.isNull }
    case "BETWEEN":
      guard case .list(let bounds) = b else { return false }
      return holds(">=", a, bounds[0], options) && holds("<=", a, bounds[1], options)
    default: break
    }
    if a.isNull || b.isNull { return false }
    switch sign {
    case "<": return order(a, b, options).map { $0 < 0 } ?? false
    case "<=", "=<": return order(a, b, options).map { $0 <= 0 } ?? false
    case ">": return order(a, b, options).map { $0 > 0 } ?? false
    case ">=", "=>": return order(a, b, options).map { $0 >= 0 } ?? false
    default: break
    }
    guard let left = a.text, let right = b.text else { return false }
    let text = Array(fold(left, options).unicodeScalars)
    let part = Array(fold(right, options).unicodeScalars)
    switch sign {
    case "BEGINSWITH": return !part.isEmpty && text.starts(with: part)
    case "ENDSWITH": return !part.isEmpty && text.reversed().starts(with: part.reversed())
    case "CONTAINS": return contains(text, part)
    case "IN": return contains(part, text)
    case "LIKE": return like(text[...], part[...])
    case "MATCHES":
      guard let regex = try? Regex(right).matchingSemantics(.unicodeScalar) else { return false }
      return left.wholeMatch(of: options.contains("c") ? regex.ignoresCase() : regex) != nil
    default: return false
    }
  }

  private static func contains(_ text: [UnicodeScalar], _ part: [UnicodeScalar]) -> Bool {
    !part.isEmpty && text.indices.contains { text[$0...].starts(with: part) }
  }

  private static func like(_ text: ArraySlice<UnicodeScalar>, _ pattern: ArraySlice<UnicodeScalar>)
    -> Bool
  {
    guard let first = pattern.first else { return text.isEmpty }
    if first == "*" {
      return like(text, pattern.dropFirst())
        || !text.isEmpty && like(text.dropFirst(), pattern)
    }
    if first == "\\", let escaped = pattern.dropFirst().first {
      return text.first == escaped && like(text.dropFirst(), pattern.dropFirst(2))
    }
    guard let letter = text.first, first == "?" || first == letter else { return false }
    return like(text.dropFirst(), pattern.dropFirst())
  }
}

// MARK: Calculating

extension Oracle {
  static func calculate(_ sign: String, _ a: Val, _ b: Val) -> Val {
    switch (sign, a, b) {
    case ("+", .date(let date), _): return b.real.map { .date(date + $0) } ?? .null
    case ("+", _, .date(let date)): return a.real.map { .date(date + $0) } ?? .null
    case ("-", .date(let a), .date(let b)): return .real(a - b)
    case ("-", .date(let date), _): return b.real.map { .date(date - $0) } ?? .null
    case (_, .int(let a), .int(let b)): return whole(sign, a, b)
    default:
      guard let a = a.real, let b = b.real else { return .null }
      switch sign {
      case "+": return .real(a + b)
      case "-": return .real(a - b)
      case "*": return .real(a * b)
      case "/": return b == 0 ? .null : .real(a / b)
      case "**": return .real(pow(a, b))
      default: return .null
      }
    }
  }

  private static func whole(_ sign: String, _ a: Int64, _ b: Int64) -> Val {
    switch sign {
    case "+": .int(a + b)
    case "-": .int(a - b)
    case "*": .int(a * b)
    case "/": b == 0 ? .null : .int(a / b)
    case "mod": b == 0 ? .null : .int(a % b)
    case "**": .real(pow(Double(a), Double(b)))
    case "&": .int(a & b)
    case "|": .int(a | b)
    case "^": .int(a ^ b)
    case "<<": .int(a << b)
    case ">>": .int(a >> b)
    default: .null
    }
  }

  static func aggregate(_ name: String, _ members: [Val]) -> Val {
    if name == "count" { return .int(Int64(members.count)) }
    let values = members.filter { !$0.isNull }
    switch name {
    case "sum": return values.reduce(.int(0)) { calculate("+", $0, $1) }
    case "avg", "average":
      let sum = values.compactMap(\.real).reduce(0, +)
      return values.isEmpty ? .null : .real(sum / Double(values.count))
    case "min", "max":
      return values.dropFirst().reduce(values.first ?? .null) { best, next in
        let isLess = (order(next, best, "") ?? 0) < 0
        let isGreater = (order(next, best, "") ?? 0) > 0
        return (name == "min" ? isLess : isGreater) ? next : best
      }
    default: return .null
    }
  }

  static func call(_ name: String, _ a: Val) -> Val {
    switch (name, a) {
    case ("uppercase", .text(let text)): return .text(text.uppercased())
    case ("lowercase", .text(let text)): return .text(text.lowercased())
    case ("length", .text(let text)): return .int(Int64((text as NSString).length))
    case ("abs", .int(let whole)): return .int(abs(whole))
    case ("floor", .int), ("ceiling", .int), ("trunc", .int): return a
    case ("onesComplement", .int(let whole)): return .int(-whole - 1)
    default: break
    }
    guard let real = a.real else { return .null }
    switch name {
    case "abs": return .real(abs(real))
    case "floor": return .real(floor(real))
    case "ceiling": return .real(ceil(real))
    case "trunc": return .real(real < 0 ? ceil(real) : floor(real))
    case "sqrt": return real < 0 ? .null : .real(real.squareRoot())
    default: return .null
    }
  }
}

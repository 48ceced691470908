import Foundation

extension FetchPredicate: CustomStringConvertible {
  /// The predicate format, which parses back to an equal predicate.
  public var description: String { node.text }
}

extension FetchPredicate.Node {
  /// The condition as a predicate format; see ``FetchPredicate/description``.
  fileprivate var text: String {
    switch self {
    case .constant(let truth): truth ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .and(let nodes) where nodes.isEmpty: "TRUEPREDICATE"
    case .or(let nodes) where nodes.isEmpty: "FALSEPREDICATE"
    case .and(let nodes):
      nodes.map { $0.isAnd || $0.isOr ? "(\($0.text))" : $0.text }.joined(separator: " AND ")
    case .or(let nodes):
      nodes.map { $0.isOr ? "(\($0.text))" : $0.text }.joined(separator: " OR ")
    case .not(.comparison(let comparison)) where comparison.modifier == .any:
      "NONE " + comparison.text
    case .not(let node): "NOT (\(node.text))"
    case .comparison(let comparison):
      switch comparison.modifier {
      case .direct: comparison.text
      case .any: "ANY " + comparison.text
      case .all: "ALL " + comparison.text
      }
    }
  }

  private var isAnd: Bool { if case .and = self { true } else { false } }
  private var isOr: Bool { if case .or = self { true } else { false } }
}

extension FetchPredicate.Comparison {
  /// The comparison as a predicate format, without its modifier.
  fileprivate var text: String {
    "\(left.text) \(PredicateWords.sign[operation] ?? "")\(options.text) \(right.text)"
  }
}

extension FetchPredicate.Options {
  fileprivate var text: String {
    let letters: [(FetchPredicate.Options, String)] = [(.c, "c"), (.d, "d"), (.n, "n"), (.l, "l")]
    return isEmpty ? "" : "[" + letters.filter { contains($0.0) }.map(\.1).joined() + "]"
  }
}

extension FetchPredicate.Expression {
  /// The expression as a predicate format.
  package var text: String {
    switch self {
    case .constant(let value): value.predicateText
    case .object(let id): "CAST(\(id.uriRepresentation.predicateQuoted), \"NSManagedObjectID\")"
    case .keyPath(let keys): Self.text(keys)
    case .variable(let name, let keys):
      "$" + (PredicateWords.isPlainName(name) ? name : KeyPathText.quoted(name))
        + keys.map { "." + Self.text($0) }.joined()
    case .selfObject: "SELF"
    case .list(let items): "{" + items.map(\.text).joined(separator: ", ") + "}"
    case .function(let name, let arguments): Self.call(name, arguments)
    case .subquery(let collection, let variable, let node):
      "SUBQUERY(\(collection.text), \(Self.variable(variable, []).text), \(node.text))"
    case .cast(let inner, let type): "CAST(\(inner.text), \(type.predicateQuoted))"
    case .ternary(let node, let yes, let no): "TERNARY(\(node.text), \(yes.text), \(no.text))"
    case .element(let collection, let element): "\(collection.elementText)[\(element.text)]"
    }
  }

  private static func call(_ name: String, _ arguments: [Self]) -> String {
    let function = PredicateFunction(rawValue: name)
    if let function, let (sign, strength) = function.infix, arguments.count == 2 {
      let left = arguments[0].text(above: strength - 1)
      let right = arguments[1].text(above: strength)
      return "\(left) \(sign) \(right)"
    }
    if function == .valueForKeyPath, arguments.count == 2, case .keyPath(let keys) = arguments[1] {
      return arguments[0].closedText + keys.map { "." + text($0) }.joined()
    }
    if function == .count, arguments.count == 1, case .subquery = arguments[0] {
      return arguments[0].text + ".@count"
    }
    return (function?.written ?? name) + "(" + arguments.map(\.text).joined(separator: ", ") + ")"
  }

  /// The text, in parentheses if its operator does not bind more strongly than the given strength.
  private func text(above strength: Int) -> String {
    guard case .function(let name, let arguments) = self, arguments.count == 2,
      let own = PredicateFunction(rawValue: name)?.infix?.strength, own <= strength
    else { return text }
    return "(\(text))"
  }

  /// The text in a form that `[` can follow.
  private var elementText: String {
    switch self {
    case .keyPath, .variable, .selfObject: text
    default: closedText
    }
  }

  /// The text in a form that `.key` can follow without becoming a part of it.
  private var closedText: String {
    switch self {
    case .list, .subquery, .element: return text
    case .function(let name, _):
      return PredicateFunction(rawValue: name)?.infix == nil ? text : "(\(text))"
    default: return "(\(text))"
    }
  }

  private static func text(_ keys: [String]) -> String {
    guard let first = keys.first else { return "SELF" }
    let isReserved = PredicateWords.reserved.contains(first.uppercased())
    return (isReserved ? "#" : "") + text(first) + keys.dropFirst().map { "." + text($0) }.joined()
  }

  private static func text(_ key: String) -> String {
    if key.hasPrefix("@"), PredicateWords.isPlainName(String(key.dropFirst())) { return key }
    return PredicateWords.isPlainName(key) ? key : KeyPathText.quoted(key)
  }
}

extension FetchPredicate.Element {
  fileprivate var text: String {
    switch self {
    case .first: return "FIRST"
    case .last: return "LAST"
    case .size: return "SIZE"
    case .index(.keyPath(let keys))
    where keys.count == 1 && ["FIRST", "LAST", "SIZE"].contains(keys[0].uppercased()):
      return "#" + keys[0]
    case .index(let expression): return expression.text
    }
  }
}

extension Value {
  /// The value as a literal; NaN, which SQLite stores as NULL, becomes NULL.
  fileprivate var predicateText: String {
    switch self {
    case .null: "NULL"
    case .integer(let value): String(value)
    case .double(let value): Self.predicateText(value)
    case .decimal(let value): "CAST(\"\(value)\", \"NSDecimalNumber\")"
    case .string(let value): value.predicateQuoted
    case .bool(let value): value ? "TRUE" : "FALSE"
    case .date(let value):
      "CAST(\(Self.predicateText(value.timeIntervalSinceReferenceDate)), \"NSDate\")"
    case .data(let value): "CAST(\"\(value.base64EncodedString())\", \"NSData\")"
    case .uuid(let value): "CAST(\"\(value.uuidString)\", \"NSUUID\")"
    case .url(let value): "CAST(\(value.absoluteString.predicateQuoted), \"NSURL\")"
    }
  }

  private static func predicateText(_ value: Double) -> String {
    if value.isNaN { return "NULL" }
    return value.isFinite ? "\(value)" : value < 0 ? "-1e999" : "1e999"
  }
}

extension String {
  /// The text in double quotes, with escapes for invisible characters.
  fileprivate var predicateQuoted: String {
    unicodeScalars.reduce(into: "\"") { quoted, scalar in
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case "\n": quoted += "\\n"
      case "\t": quoted += "\\t"
      case "\r": quoted += "\\r"
      case _
      where scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
        || scalar.value == 0x2028 || scalar.value == 0x2029:
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    } + "\""
  }
}

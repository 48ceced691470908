import Foundation
import ObjectModel
import TestSupport

/// Key paths and literals.
extension OracleMaker {
  static func written(_ key: String, isFirst: Bool) -> String {
    if key.contains(" ") { return "`\(key)`" }
    return isFirst && key == "any" ? "#any" : key
  }

  static func text(_ root: Root, _ keys: [String]) -> String {
    let rest = keys.enumerated().map { index, key in
      written(key, isFirst: index == 0 && root.variable == nil)
    }
    return ((root.variable.map { ["$" + $0] } ?? []) + rest).joined(separator: ".")
  }

  /// Follows to-one relationships at random.
  mutating func toOnePath(from root: Root) -> (keys: [String], entity: String) {
    var keys: [String] = []
    var entity = root.entity
    while keys.count < 2, chance(3) {
      let next = (links[entity] ?? []).filter { !$0.isToMany }
      if next.isEmpty { break }
      let link = pick(next)
      keys.append(link.name)
      entity = link.destination
    }
    return (keys, entity)
  }

  static func follow(_ keys: [String], from start: Thing) -> [Val] {
    var current: [Val] = [.object(start)]
    for key in keys {
      current = current.flatMap { val -> [Val] in
        let isToMany = ["reports", "pets", "led", "clubs", "members"].contains(key)
        guard case .object(let thing) = val else { return isToMany ? [] : [.null] }
        if isToMany { return (thing.toMany[key] ?? []).map { .object($0) } }
        if let one = thing.toOne[key] { return [.object(one)] }
        return [thing.values[key] ?? .null]
      }
    }
    return current
  }

  static func start(_ root: Root, _ thing: Thing, _ variables: [String: Thing]) -> Thing {
    root.variable.flatMap { variables[$0] } ?? thing
  }

  static func path(_ root: Root, _ keys: [String]) -> Expression {
    Written { _ in text(root, keys) }.means { thing, variables in
      follow(keys, from: start(root, thing, variables)).first ?? .null
    }
  }

  func names(of entity: String, _ kind: Kind) -> [String] {
    (attributes[entity] ?? []).filter { attribute in
      switch (kind, attribute.type) {
      case (.whole, .integer16), (.whole, .integer64), (.whole, .boolean): true
      case (.number, .integer16), (.number, .integer64), (.number, .boolean), (.number, .double),
        (.number, .decimal):
        true
      case (.text, .string), (.date, .date): true
      default: false
      }
    }.map(\.name)
  }

  mutating func attributePath(_ root: Root, _ kind: Kind) -> Expression {
    let (keys, entity) = toOnePath(from: root)
    return Self.path(root, keys + [pick(names(of: entity, kind))])
  }

  /// A path to the objects of a to-many relationship, and their entity.
  mutating func collection(_ root: Root) -> (keys: [String], entity: String)? {
    let (keys, entity) = toOnePath(from: root)
    let many = (links[entity] ?? []).filter(\.isToMany)
    if many.isEmpty { return nil }
    let link = pick(many)
    return (keys + [link.name], link.destination)
  }

  /// A path through one to-many relationship, or two, to attributes.
  mutating func manyPath(_ root: Root, _ kind: Kind, deep: Bool) -> Expression? {
    guard var (keys, entity) = collection(root) else { return nil }
    if deep, chance(3), let more = collection(Root(entity: entity)) {
      keys += more.keys
      entity = more.entity
    } else if chance(3) {
      let more = toOnePath(from: Root(entity: entity))
      keys += more.keys
      entity = more.entity
    }
    keys.append(pick(names(of: entity, kind)))
    let isLength = kind == .whole && chance(4)
    if isLength { keys[keys.count - 1] = "name" }
    let path = keys
    return Written { _ in Self.text(root, path) + (isLength ? ".length" : "") }.means {
      thing, variables in
      let found = Self.follow(path, from: Self.start(root, thing, variables))
      return .list(isLength ? found.map { Oracle.call("length", $0) } : found)
    }
  }

  // MARK: Literals

  static func quoted(_ text: String, by quote: Character = "'") -> String {
    var result = String(quote)
    for scalar in text.unicodeScalars {
      if scalar == "\\" || Character(scalar) == quote { result += "\\" }
      result.unicodeScalars.append(scalar)
    }
    return result + String(quote)
  }

  mutating func literal(_ kind: Kind) -> Expression {
    let val: Val
    let text: String
    switch kind {
    case .whole:
      let number = int(-4...12)
      val = .int(Int64(number))
      text =
        number > 0 && chance(6)
        ? pick(["0x\(String(number, radix: 16))", "0b\(String(number, radix: 2))"]) : "\(number)"
    case .number:
      let number = Double(int(-8...40)) / 4
      val = .real(number)
      text = chance(5) ? "CAST('\(number)', 'NSDecimalNumber')" : "\(number)"
    case .text:
      let string = pick(Self.texts)
      val = .text(string)
      text = Self.quoted(string, by: pick(["'", "\""]))
    case .date:
      let day = pick(Self.dates)
      val = .date(Self.seconds(day))
      text = pick([
        day, "'\(day)'", "\(day)T00:00:00Z", "CAST('\(day)', 'NSDate')",
        "CAST(\(Self.seconds(day)), 'NSDate')",
      ])
    }
    return Written { _ in text }.means { _, _ in val }
  }
}

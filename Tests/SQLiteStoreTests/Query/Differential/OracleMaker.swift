import Foundation
import ObjectModel
import TestSupport

/// Makes a random model, objects, and predicates from every production of the grammar.
struct OracleMaker {
  typealias Val = Oracle.Val
  typealias Thing = Oracle.Thing
  typealias Expression = Oracle.Expression
  typealias Condition = Oracle.Condition
  typealias Written = Oracle.Written

  /// The kinds of generated expressions.
  enum Kind: CaseIterable { case whole, number, text, date }

  /// Where a key path begins: the object itself, or a variable of SUBQUERY.
  struct Root {
    var entity: String
    var variable: String?
  }

  struct Link {
    let name: String
    let destination: String
    let isToMany: Bool
  }

  var random: SeededGenerator
  private(set) var attributes: [String: [(name: String, type: AttributeType)]] = [:]
  private(set) var links: [String: [Link]] = [:]
  private(set) var things: [Thing] = []
  private var variableCount = 0

  static let entities = ["Person", "Pet", "Club"]
  static let texts = [
    "", "a", "A", "ab", "Ab", "b", "é", "É", "Zoë", "ZOE", "zoe", "12", "5", "👩‍👩‍👧", "日本", "a*b",
    "x y", "it's", "a\\b", "NULL", "👍🏽",
  ]
  static let dates = ["2001-01-01", "2001-01-02", "1990-05-01", "2024-02-29", "1969-12-31"]

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    makeModel()
    makeThings()
  }

  mutating func pick<T>(_ items: [T]) -> T { random.pick(items) }
  mutating func chance(_ n: Int) -> Bool { random.chance(oneIn: n) }
  mutating func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

  // MARK: Model and objects

  private mutating func makeModel() {
    let types: [AttributeType] = [
      .string, .integer64, .integer16, .double, .decimal, .boolean, .date, .uuid,
    ]
    for entity in Self.entities {
      var own: [(String, AttributeType)] = [
        ("name", .string), ("age", .integer64), ("born", .date), ("size", .double),
      ]
      for (index, name) in ["odd name", "any", "größe", "in", "x1"].enumerated() where !chance(3) {
        own.append((index < 3 ? name : name + "_", pick(types)))
      }
      attributes[entity] = own.map { (name: $0.0, type: $0.1) }
    }
    func connect(_ a: String, _ name: String, _ b: String, _ back: String, _ many: Bool) {
      links[a, default: []].append(Link(name: name, destination: b, isToMany: many))
      links[b, default: []].append(Link(name: back, destination: a, isToMany: true))
    }
    connect("Person", "boss", "Person", "reports", false)
    connect("Pet", "owner", pick(["Person", "Club"]), "pets", false)
    connect("Club", "leader", "Person", "led", false)
    connect("Person", "clubs", "Club", "members", true)
  }

  var model: ManagedObjectModel {
    let inverses = [
      "boss": "reports", "reports": "boss", "owner": "pets", "pets": "owner", "leader": "led",
      "led": "leader", "clubs": "members", "members": "clubs",
    ]
    return ManagedObjectModel(
      entities: Self.entities.map { entity in
        EntityDescription(
          name: entity,
          attributes: (attributes[entity] ?? []).map { AttributeDescription($0.name, $0.type) },
          relationships: (links[entity] ?? []).map {
            RelationshipDescription(
              $0.name, to: $0.destination, inverse: inverses[$0.name], isToMany: $0.isToMany)
          })
      })
  }

  private mutating func makeThings() {
    for (index, entity) in (Self.entities + Self.entities + Self.entities + Self.entities)
      .enumerated()
    {
      let thing = Thing(entity, index + 1)
      for attribute in attributes[entity] ?? [] {
        thing.values[attribute.name] = chance(5) ? .null : value(attribute.type)
      }
      things.append(thing)
    }
    for thing in things {
      for link in links[thing.entity] ?? [] where !link.isToMany && !chance(4) {
        let other = pick(things.filter { $0.entity == link.destination })
        thing.toOne[link.name] = other
        let back = ["boss": "reports", "owner": "pets", "leader": "led"][link.name] ?? ""
        other.toMany[back, default: []].append(thing)
      }
      for link in links[thing.entity] ?? [] where link.name == "clubs" {
        for club in things where club.entity == "Club" && chance(2) {
          thing.toMany["clubs", default: []].append(club)
          club.toMany["members", default: []].append(thing)
        }
      }
    }
  }

  private mutating func value(_ type: AttributeType) -> Val {
    switch type {
    case .string: .text(pick(Self.texts))
    case .integer16, .integer64: .int(Int64(int(-5...12)))
    case .boolean: .int(Int64(int(0...1)))
    case .double, .decimal: .real(Double(int(-8...48)) / 4)
    case .date: .date(Self.seconds(pick(Self.dates)))
    default: .bytes([UInt8](repeating: UInt8(int(0...2)), count: 16))
    }
  }

  static func seconds(_ day: String) -> Double {
    let parts = day.split(separator: "-").compactMap { Int($0) }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(secondsFromGMT: 0) ?? .current
    let components = DateComponents(year: parts[0], month: parts[1], day: parts[2])
    return calendar.date(from: components)?.timeIntervalSinceReferenceDate ?? 0
  }

  // MARK: Key paths

  private static func written(_ key: String, isFirst: Bool) -> String {
    if key.contains(" ") { return "`\(key)`" }
    return isFirst && key == "any" ? "#any" : key
  }

  private static func text(_ root: Root, _ keys: [String]) -> String {
    let rest = keys.enumerated().map { index, key in
      written(key, isFirst: index == 0 && root.variable == nil)
    }
    return ((root.variable.map { ["$" + $0] } ?? []) + rest).joined(separator: ".")
  }

  /// Follows to-one relationships at random.
  private mutating func toOnePath(from root: Root) -> (keys: [String], entity: String) {
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

  private static func follow(_ keys: [String], from start: Thing) -> [Val] {
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

  private static func start(_ root: Root, _ thing: Thing, _ variables: [String: Thing]) -> Thing {
    root.variable.flatMap { variables[$0] } ?? thing
  }

  private static func path(_ root: Root, _ keys: [String]) -> Expression {
    Written { _ in text(root, keys) }.means { thing, variables in
      follow(keys, from: start(root, thing, variables)).first ?? .null
    }
  }

  private func names(of entity: String, _ kind: Kind) -> [String] {
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

  private mutating func attributePath(_ root: Root, _ kind: Kind) -> Expression {
    let (keys, entity) = toOnePath(from: root)
    return Self.path(root, keys + [pick(names(of: entity, kind))])
  }

  /// A path to the objects of a to-many relationship, and their entity.
  private mutating func collection(_ root: Root) -> (keys: [String], entity: String)? {
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

  private mutating func literal(_ kind: Kind) -> Expression {
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

  // MARK: Expressions

  mutating func expression(_ kind: Kind, _ root: Root, _ depth: Int) -> Expression {
    if depth <= 0 { return chance(3) ? literal(kind) : attributePath(root, kind) }
    switch int(0...9) {
    case 0: return literal(kind)
    case 1, 2: return attributePath(root, kind)
    case 3: return ternary(kind, root, depth - 1)
    case 4: return element(kind, root, depth - 1)
    case 5: return aggregate(kind, root, depth - 1)
    default: break
    }
    switch kind {
    case .whole: return whole(root, depth - 1)
    case .number: return number(root, depth - 1)
    case .text: return text(root, depth - 1)
    case .date:
      let date = expression(.date, root, depth - 1)
      let seconds = expression(.whole, root, depth - 1)
      return infix(pick(["+", "-"]), date, seconds)
    }
  }

  private func infix(_ sign: String, _ a: Expression, _ b: Expression) -> Expression {
    Written { "(\(a.text($0)) \(sign) \(b.text($0)))" }.means {
      Oracle.calculate(sign, a.meaning($0, $1), b.meaning($0, $1))
    }
  }

  private func call(_ name: String, _ a: Expression) -> Expression {
    Written { "\(name)(\(a.text($0)))" }.means { Oracle.call(name, a.meaning($0, $1)) }
  }

  private mutating func whole(_ root: Root, _ depth: Int) -> Expression {
    switch int(0...8) {
    case 0, 1:
      let sign = pick(["+", "-", "*", "/", "&", "|", "^"])
      return infix(sign, expression(.whole, root, depth), expression(.whole, root, depth))
    case 2:
      return infix(pick(["<<", ">>"]), expression(.whole, root, 0), small())
    case 3:
      let (a, b) = (expression(.whole, root, depth), expression(.whole, root, depth))
      return Written { "modulus:by:(\(a.text($0)), \(b.text($0)))" }.means {
        Oracle.calculate("mod", a.meaning($0, $1), b.meaning($0, $1))
      }
    case 4: return call(pick(["abs", "onesComplement"]), expression(.whole, root, depth))
    case 5:
      let text = expression(.text, root, depth)
      return chance(2)
        ? call("length", text)
        : Written { "(\(text.text($0))).length" }.means {
          Oracle.call("length", text.meaning($0, $1))
        }
    case 6:
      let path = attributePath(root, .text)
      return Written { path.text($0) + ".length" }.means {
        Oracle.call("length", path.meaning($0, $1))
      }
    case 7:
      let inner = expression(.whole, root, depth)
      let name = pick(["noindex:", "distinct:"])
      return Written { "\(name)(\(inner.text($0)))" }.means(inner.meaning)
    default:
      let inner = expression(.whole, root, depth)
      return Written { "-(\(inner.text($0)))" }.means {
        Oracle.calculate("-", .int(0), inner.meaning($0, $1))
      }
    }
  }

  private mutating func small() -> Expression {
    let number = int(0...3)
    return Written { _ in "\(number)" }.means { _, _ in .int(Int64(number)) }
  }

  private mutating func number(_ root: Root, _ depth: Int) -> Expression {
    switch int(0...5) {
    case 0...2:
      let (a, b) = (expression(.number, root, depth), expression(.number, root, depth))
      return infix(pick(["+", "-", "*"]), a, b)
    case 3:
      return infix(
        "/", expression(.number, root, depth), Written { _ in "2.0" }.means { _, _ in .real(2) })
    case 4:
      return call(pick(["abs", "floor", "ceiling", "trunc"]), expression(.number, root, depth))
    default: return infix("**", expression(.whole, root, 0), small())
    }
  }

  private mutating func text(_ root: Root, _ depth: Int) -> Expression {
    switch int(0...3) {
    case 0: return call(pick(["uppercase", "lowercase"]), expression(.text, root, depth))
    case 1: return call("lowercase", entityName(root))
    case 2:
      let inner = expression(.whole, root, depth)
      // A boolean is cast to "true" or "false"; a sum is a number.
      return Written { "CAST(\(inner.text($0)) + 0, 'NSString')" }.means {
        guard case .int(let whole) = inner.meaning($0, $1) else { return .null }
        return .text("\(whole)")
      }
    default: return ternary(.text, root, depth)
    }
  }

  mutating func entityName(_ root: Root) -> Expression {
    let (keys, entity) = toOnePath(from: root)
    let ending = pick(["entity", "entity.name"])
    let isSelf = keys.isEmpty && root.variable == nil
    return Written { _ in
      isSelf ? ending : Self.text(root, keys) + "." + ending
    }.means { thing, variables in
      guard case .object? = Self.follow(keys, from: Self.start(root, thing, variables)).first
      else { return .null }
      return .text(entity)
    }
  }

  /// Several expressions; of dates one is no literal, because the kind of a list of text is text.
  private mutating func expressions(_ count: Int, _ kind: Kind, _ root: Root, _ depth: Int)
    -> [Expression]
  {
    let first = kind == .date ? attributePath(root, kind) : expression(kind, root, depth)
    return [first] + (1..<max(count, 1)).map { _ in expression(kind, root, depth) }
  }

  private mutating func ternary(_ kind: Kind, _ root: Root, _ depth: Int) -> Expression {
    let test = condition(root, 0)
    let values = expressions(2, kind, root, depth)
    let (yes, no) = (values[0], values[1])
    return Written { "TERNARY(\(test.text($0)), \(yes.text($0)), \(no.text($0)))" }.means {
      test.holds($0, $1) ? yes.meaning($0, $1) : no.meaning($0, $1)
    }
  }

  private mutating func element(_ kind: Kind, _ root: Root, _ depth: Int) -> Expression {
    let items = expressions(int(1...3), kind, root, depth)
    let index = int(0...3)
    let place: String
    let meant: Int
    switch int(0...2) {
    case 0: (place, meant) = ("FIRST", 0)
    case 1: (place, meant) = ("LAST", items.count - 1)
    default: (place, meant) = ("\(index)", index)
    }
    return Written { uri in
      "{\(items.map { $0.text(uri) }.joined(separator: ", "))}[\(place)]"
    }.means { items.indices.contains(meant) ? items[meant].meaning($0, $1) : .null }
  }

  /// A collection operator or function, or a count.
  private mutating func aggregate(_ kind: Kind, _ root: Root, _ depth: Int) -> Expression {
    if chance(3) {
      let items = expressions(int(1...3), kind, root, depth)
      let name = pick(kind == .whole || kind == .number ? ["min", "max", "sum"] : ["min", "max"])
      let isList = items.count == 1 || chance(2)
      return Written { uri in
        let list = items.map { $0.text(uri) }.joined(separator: ", ")
        return isList ? "\(name)({\(list)})" : "\(name)(\(list))"
      }.means { thing, variables in
        Oracle.aggregate(name, items.map { $0.meaning(thing, variables) })
      }
    }
    guard let (keys, entity) = collection(root) else { return literal(kind) }
    let before = Self.text(root, keys)
    if kind == .whole, chance(2) {
      let forms = ["\(before).@count", "\(before)[SIZE]", "count(\(before))"]
      let leading = root.variable == nil && keys.count == 1 ? ["@count.\(before)"] : []
      let text = pick(forms + leading)
      if chance(3) {
        let (name, inner) = subquery(entity, depth)
        let end = pick([".@count", "[SIZE]"])
        return Written { "SUBQUERY(\(before), $\(name), \(inner.text($0)))\(end)" }.means {
          thing, variables in
          let found = Self.follow(keys, from: Self.start(root, thing, variables)).filter { member in
            guard case .object(let object) = member else { return false }
            return inner.holds(thing, variables.merging([name: object]) { $1 })
          }
          return .int(Int64(found.count))
        }
      }
      return Written { _ in text }.means { thing, variables in
        .int(Int64(Self.follow(keys, from: Self.start(root, thing, variables)).count))
      }
    }
    let isNumber = kind == .whole || kind == .number
    let name = pick(
      isNumber ? ["sum", "min", "max"] + (kind == .number ? ["avg"] : []) : ["min", "max"])
    let key = pick(names(of: entity, kind))
    let written = Self.written(key, isFirst: false)
    let forms = [
      "\(before).@\(name).\(written)", "\(name == "avg" ? "average" : name)(\(before).\(written))",
    ]
    let leading = root.variable == nil && keys.count == 1 ? ["@\(name).\(before).\(written)"] : []
    let text = pick(forms + leading)
    return Written { _ in text }.means { thing, variables in
      Oracle.aggregate(name, Self.follow(keys + [key], from: Self.start(root, thing, variables)))
    }
  }

  private mutating func subquery(_ entity: String, _ depth: Int) -> (String, Condition) {
    variableCount += 1
    let name = "v\(variableCount)"
    return (name, condition(Root(entity: entity, variable: name), min(depth, 1)))
  }
}

import Foundation

extension OracleMaker {
  mutating func condition(_ root: Root, _ depth: Int) -> Condition {
    guard depth > 0 else { return comparison(root, 1) }
    switch int(0...7) {
    case 0, 1:
      let parts = (0..<int(2...3)).map { _ in condition(root, depth - 1) }
      let word = pick(["AND", "&&", "and"])
      return Condition(
        text: { uri in parts.map { "(\($0.text(uri)))" }.joined(separator: " \(word) ") },
        holds: { thing, variables in parts.allSatisfy { $0.holds(thing, variables) } })
    case 2, 3:
      let parts = (0..<int(2...3)).map { _ in condition(root, depth - 1) }
      let word = pick(["OR", "||", "or"])
      return Condition(
        text: { uri in parts.map { "(\($0.text(uri)))" }.joined(separator: " \(word) ") },
        holds: { thing, variables in parts.contains { $0.holds(thing, variables) } })
    case 4, 5:
      let inner = condition(root, depth - 1)
      let word = pick(["NOT ", "!", "not "])
      return Condition(text: { "\(word)(\(inner.text($0)))" }, holds: { !inner.holds($0, $1) })
    case 6 where chance(4):
      let truth = chance(2)
      return Condition(
        text: { _ in truth ? "TRUEPREDICATE" : "FALSEPREDICATE" }, holds: { _, _ in truth })
    default: return comparison(root, depth)
    }
  }

  private mutating func comparison(_ root: Root, _ depth: Int) -> Condition {
    let kind = pick(Kind.allCases)
    switch int(0...12) {
    case 12:
      let name = pick(Self.entities)
      let right = Written { _ in "'\(name)'" }.means { _, _ in .text(name) }
      return direct(pick(["==", "!=", "<", "BEGINSWITH"]), entityName(root), right, "")
    case 0...2:
      let sign = pick(["==", "=", "!=", "<>", "<", "<=", "=<", ">", ">=", "=>"])
      let options = kind == .text ? pick(["", "", "c", "d", "cd", "n"]) : ""
      return direct(sign, expression(kind, root, depth), expression(kind, root, depth), options)
    case 3:
      let null = Written { _ in "NULL" }.means { _, _ in .null }
      return direct(pick(["==", "!="]), expression(kind, root, depth), null, "")
    case 4, 5:
      let sign = pick(["CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE", "IN"])
      let options = pick(["", "c", "d", "cd"])
      return direct(sign, expression(.text, root, depth), expression(.text, root, 0), options)
    case 6:
      let pattern = pick(["a.*", ".*b", "[a-zA-Z]+", "", "é?.", "(a|b)*", ".+"])
      let right = Written { _ in Self.quoted(pattern) }.means { _, _ in .text(pattern) }
      return direct("MATCHES", expression(.text, root, 0), right, pick(["", "c"]))
    case 7: return list(kind, root, depth)
    case 8, 9: return quantified(kind, root, depth)
    case 10: return member(kind, root, depth)
    default: return objects(root)
    }
  }

  private func direct(
    _ sign: String, _ a: Expression, _ b: Expression, _ options: String
  ) -> Condition {
    let brackets = options.isEmpty ? "" : "[\(options)]"
    return Condition(
      text: { "\(a.text($0)) \(sign)\(brackets) \(b.text($0))" },
      holds: { Oracle.holds(sign, a.meaning($0, $1), b.meaning($0, $1), options) })
  }

  private mutating func list(_ kind: Kind, _ root: Root, _ depth: Int) -> Condition {
    let isBetween = chance(2)
    let items = (0..<(isBetween ? 2 : int(0...3))).map { _ in expression(kind, root, depth - 1) }
    let right = Written { uri in
      "{\(items.map { $0.text(uri) }.joined(separator: ", "))}"
    }.means { thing, variables in .list(items.map { $0.meaning(thing, variables) }) }
    let left = expression(kind, root, depth)
    return direct(isBetween ? "BETWEEN" : "IN", left, right, "")
  }

  /// ANY, ALL, SOME or NONE over one or two to-many relationships.
  private mutating func quantified(_ kind: Kind, _ root: Root, _ depth: Int) -> Condition {
    guard let many = manyPath(root, kind, deep: true) else { return comparison(root, depth) }
    let word = pick(["ANY", "SOME", "ALL", "NONE"])
    let sign = pick(["==", "!=", "<", ">="] + (kind == .text ? ["CONTAINS", "LIKE"] : []))
    let right = expression(kind, root, depth - 1)
    return Condition(
      text: { "\(word) \(many.text($0)) \(sign) \(right.text($0))" },
      holds: { thing, variables in
        let members = many.meaning(thing, variables).members
        let other = right.meaning(thing, variables)
        let found = members.count { Oracle.holds(sign, $0, other, "") }
        return word == "ALL" ? found == members.count : (found > 0) != (word == "NONE")
      })
  }

  private mutating func member(_ kind: Kind, _ root: Root, _ depth: Int) -> Condition {
    guard let many = manyPath(root, kind, deep: false) else { return comparison(root, depth) }
    let value = expression(kind, root, 0)
    let isIn = chance(2)
    return Condition(
      text: {
        isIn
          ? "\(value.text($0)) IN \(many.text($0))" : "\(many.text($0)) CONTAINS \(value.text($0))"
      },
      holds: { thing, variables in
        Oracle.holds("IN", value.meaning(thing, variables), many.meaning(thing, variables), "")
      })
  }

  /// Comparisons of objects with each other, NULL and URIs.
  private mutating func objects(_ root: Root) -> Condition {
    let own = (links[root.entity] ?? []).filter { !$0.isToMany }
    let isSelf = own.isEmpty || chance(2)
    let link = own.isEmpty ? nil : pick(own)
    let variable = root.variable
    let end = chance(3) ? ".objectID" : ""
    let prefix = variable.map { "$\($0)" } ?? ""
    let left: Expression
    let entity: String
    if isSelf {
      entity = root.entity
      left = Written { _ in variable == nil ? "SELF" : prefix + end }.means { thing, variables in
        .object(variable.flatMap { variables[$0] } ?? thing)
      }
    } else {
      let name = link?.name ?? ""
      entity = link?.destination ?? ""
      left = Written { _ in
        (variable == nil ? name : prefix + "." + name) + end
      }.means { thing, variables in
        let start = variable.flatMap { variables[$0] } ?? thing
        return start.toOne[name].map { .object($0) } ?? .null
      }
    }
    let others = things.filter { $0.entity == entity }
    let some = (0..<int(1...3)).map { _ in pick(others) }
    let isEqual = chance(2)
    switch int(0...2) {
    case 0:
      let null = Written { _ in "NULL" }.means { _, _ in .null }
      return direct(isEqual ? "==" : "!=", left, null, "")
    case 1:
      let uri = Written { "'\($0(some[0]))'" }.means { _, _ in .object(some[0]) }
      return direct(isEqual ? "==" : "!=", left, uri, "")
    default:
      let list = Written { uri in
        "{\(some.map { "'\(uri($0))'" }.joined(separator: ", "))}"
      }.means { _, _ in .list(some.map { .object($0) }) }
      return direct("IN", left, list, "")
    }
  }
}

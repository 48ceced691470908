import ObjectModel
import TestSupport

/// Expressions of each kind, up to a depth.
extension OracleMaker {
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

  func infix(_ sign: String, _ a: Expression, _ b: Expression) -> Expression {
    Written { "(\(a.text($0)) \(sign) \(b.text($0)))" }.means {
      Oracle.calculate(sign, a.meaning($0, $1), b.meaning($0, $1))
    }
  }

  func call(_ name: String, _ a: Expression) -> Expression {
    Written { "\(name)(\(a.text($0)))" }.means { Oracle.call(name, a.meaning($0, $1)) }
  }

  mutating func whole(_ root: Root, _ depth: Int) -> Expression {
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

  mutating func small() -> Expression {
    let number = int(0...3)
    return Written { _ in "\(number)" }.means { _, _ in .int(Int64(number)) }
  }

  mutating func number(_ root: Root, _ depth: Int) -> Expression {
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

  mutating func text(_ root: Root, _ depth: Int) -> Expression {
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
  mutating func expressions(_ count: Int, _ kind: Kind, _ root: Root, _ depth: Int)
    -> [Expression]
  {
    let first = kind == .date ? attributePath(root, kind) : expression(kind, root, depth)
    return [first] + (1..<max(count, 1)).map { _ in expression(kind, root, depth) }
  }

  mutating func ternary(_ kind: Kind, _ root: Root, _ depth: Int) -> Expression {
    let test = condition(root, 0)
    let values = expressions(2, kind, root, depth)
    let (yes, no) = (values[0], values[1])
    return Written { "TERNARY(\(test.text($0)), \(yes.text($0)), \(no.text($0)))" }.means {
      test.holds($0, $1) ? yes.meaning($0, $1) : no.meaning($0, $1)
    }
  }

  mutating func element(_ kind: Kind, _ root: Root, _ depth: Int) -> Expression {
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
  mutating func aggregate(_ kind: Kind, _ root: Root, _ depth: Int) -> Expression {
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

  mutating func subquery(_ entity: String, _ depth: Int) -> (String, Condition) {
    variableCount += 1
    let name = "v\(variableCount)"
    return (name, condition(Root(entity: entity, variable: name), min(depth, 1)))
  }
}

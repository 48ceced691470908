import Foundation
import ObjectModel
import SQLQueries

/// Translates what of a predicate the server answers as we do; the rest is evaluated here.
///
/// Text is compared by its bytes there too: for equality by any deterministic collation, for order and
/// beginnings by the collation C. What folds case or diacritics, patterns, collections and functions
/// stay here.
struct ServerCondition {
  let schema: ServerSchema
  let storeIdentifier: String
  let scope: QueryScope

  /// The condition, and the part of the predicate that is left; nil for a part without condition or
  /// without rest.
  func split(_ node: FetchPredicate.Node) throws(StoreError) -> (
    sql: SQL?, rest: FetchPredicate.Node?
  ) {
    if let sql = try condition(node, isExact: false) { return (sql, nil) }
    guard case .and(let nodes) = node else { return (nil, node) }
    var terms: [SQL] = []
    var rest: [FetchPredicate.Node] = []
    for node in nodes {
      if let sql = try condition(node, isExact: false) {
        terms.append(sql)
      } else {
        rest.append(node)
      }
    }
    return (terms.isEmpty ? nil : terms.joined(" AND "), rest.isEmpty ? nil : .and(rest))
  }

  /// A condition that is true for the same rows; nil if there is none.
  ///
  /// One that `isExact` is false where it would be NULL, as inside of NOT.
  private func condition(_ node: FetchPredicate.Node, isExact: Bool) throws(StoreError) -> SQL? {
    switch node {
    case .constant(let flag): return flag ? "TRUE" : "FALSE"
    case .comparison(let comparison):
      guard let sql = try condition(comparison) else { return nil }
      return isExact ? "((\(sql)) IS TRUE)" : "(\(sql))"
    case .not(let node):
      return try condition(node, isExact: true).map { "(NOT \($0))" }
    case .and(let nodes), .or(let nodes):
      let isOr = if case .or = node { true } else { false }
      var terms: [SQL] = []
      for node in nodes {
        guard let term = try condition(node, isExact: isExact) else { return nil }
        terms.append(term)
      }
      guard !terms.isEmpty else { return isOr ? "FALSE" : "TRUE" }
      return "(\(terms.joined(isOr ? " OR " : " AND ")))"
    }
  }

  private func condition(_ comparison: FetchPredicate.Comparison) throws(StoreError) -> SQL? {
    guard comparison.modifier == .direct, comparison.options.isSubset(of: [.n]),
      let target = try target(of: comparison.left)
    else { return nil }
    switch target {
    case .collection: return nil
    case .object(let object): return try condition(object, comparison.operation, comparison.right)
    case .attribute(let column):
      guard case .keyPath(let path) = comparison.left, let operand = operand(column, at: path)
      else { return nil }
      switch (comparison.operation, comparison.right) {
      case (.in, .list(let elements)):
        var terms: [SQL] = []
        for case .constant(let value) in elements where !value.isNull {
          guard let term = operand.comparison("=", value) else { return nil }
          terms.append(term)
        }
        guard elements.allSatisfy({ if case .constant = $0 { true } else { false } }),
          terms.count <= 1_000
        else { return nil }
        return terms.isEmpty ? "FALSE" : terms.joined(" OR ")
      case (.between, .list(let elements)):
        guard elements.count == 2, case .constant(let low) = elements[0],
          case .constant(let high) = elements[1], let first = operand.comparison(">=", low),
          let second = operand.comparison("<=", high)
        else { return nil }
        return "\(first) AND \(second)"
      case (_, .constant(let value)): return operand.condition(comparison.operation, value)
      default: return nil
      }
    }
  }

  private func target(of expression: FetchPredicate.Expression) throws(StoreError)
    -> KeyPathTarget?
  {
    switch expression {
    case .keyPath(let path):
      return path.contains {
        $0.hasPrefix("@") || $0 == VirtualKey.entity || $0 == VirtualKey.length
      }
        ? nil : try scope.follow(path)
    case .selfObject: return .object(scope.object)
    default: return nil
    }
  }

  /// The column at the end of a key path, with its type; nil if the path ends elsewhere.
  func operand(_ column: ColumnOperand, at path: [String]) -> ServerOperand? {
    var entity = scope.entity
    for key in path.dropLast() {
      guard
        let next = entity.relationship(named: key).flatMap({
          schema.layout.model.entity(named: $0.destinationEntityName)
        })
      else { return nil }
      entity = next
    }
    guard let index = path.last.flatMap(entity.attributeIndex),
      let type = schema.tables[entity.name]?.types[index]
    else { return nil }
    return ServerOperand(sql: column.sql, type: type)
  }

  /// A comparison of objects by their keys.
  private func condition(
    _ object: ObjectOperand, _ operation: FetchPredicate.Operator,
    _ right: FetchPredicate.Expression
  ) throws(StoreError) -> SQL? {
    func areKeys(_ ids: [ObjectID]) throws(StoreError) -> SQL {
      let own = ids.filter {
        $0.storeIdentifier == storeIdentifier && $0.entityName == object.entityName
      }
      let keys = schema.keys(of: own, object.entityName)
      guard !keys.isEmpty else { return "FALSE" }
      return try QueryScope.condition(
        object.keyColumns, in: keys, types: schema.keyTypeNames(of: object.entityName))
    }
    switch (operation, right) {
    case (.equal, .constant(.null)):
      return object.keyColumns.map { "\($0) IS NULL" as SQL }.joined(" OR ")
    case (.notEqual, .constant(.null)):
      return object.keyColumns.map { "\($0) IS NOT NULL" as SQL }.joined(" AND ")
    case (.equal, .object(let id)): return try areKeys([id])
    case (.in, .list(let elements)):
      var ids: [ObjectID] = []
      for element in elements {
        guard case .object(let id) = element else { return nil }
        ids.append(id)
      }
      return try areKeys(ids)
    default: return nil
    }
  }
}

/// A column in a condition.
struct ServerOperand {
  let sql: SQL
  let type: ServerType

  /// The condition of an operator with a constant on the right; nil if it is evaluated here.
  func condition(_ operation: FetchPredicate.Operator, _ value: Value) -> SQL? {
    if value.isNull {
      return switch operation {
      case .equal: "\(sql) IS NULL"
      case .notEqual: "\(sql) IS NOT NULL"
      // A comparison with null is false.
      case .less, .lessOrEqual, .greater, .greaterOrEqual: "FALSE"
      default: nil
      }
    }
    switch operation {
    case .equal: return comparison("=", value)
    // NULL differs from every value.
    case .notEqual: return comparison("=", value).map { "(\($0)) IS NOT TRUE" }
    case .less: return comparison("<", value)
    case .lessOrEqual: return comparison("<=", value)
    case .greater: return comparison(">", value)
    case .greaterOrEqual: return comparison(">=", value)
    case .contains, .beginsWith, .endsWith: return search(operation, value)
    case .between, .in, .like, .matches: return nil
    }
  }

  /// The order of two values as the server knows it.
  func comparison(_ word: SQL, _ value: Value) -> SQL? {
    let isEquality = word == "="
    switch (type, value) {
    case (.integer, .integer), (.integer, .bool):
      guard let number = value.wholeNumber else { return nil }
      return fits(number) ? "\(sql) \(word) \(number)" : "\(sql) \(word) \(number)::numeric"
    case (.integer, .double(let number)) where number.isFinite:
      return "\(sql) \(word) \(Value.string("\(number)"))::numeric"
    case (.numeric, .integer), (.numeric, .decimal):
      let text = Value.string("\(value.wholeNumber.map(String.init) ?? value.digits)")
      // What is no number is text here, which is neither less nor greater.
      return isEquality
        ? "\(sql) = \(text)::numeric"
        : "\(sql) \(word) \(text)::numeric AND \(sql)::text NOT IN ('NaN', 'Infinity', '-Infinity')"
    case (.double, .integer), (.double, .double), (.real, .integer), (.real, .double):
      guard let number = value.exactDouble, number.isFinite else { return nil }
      let own: SQL = type == .real ? "\(sql)::text::double precision" : sql
      let compared: SQL = "\(own) \(word) \(Value.double(number))::double precision"
      return isEquality ? compared : "\(compared) AND \(sql) <> 'NaN'"
    case (.boolean, .bool(let flag)) where isEquality: return flag ? sql : "NOT \(sql)"
    case (.uuid, .uuid(let uuid)) where isEquality:
      return "\(sql) = \(Value.string(uuid.uuidString))::uuid"
    case (.text(let isDeterministic, let collations), .string),
      (.text(let isDeterministic, let collations), .url):
      guard let text = value.plainText, !text.utf8.contains(0) else { return nil }
      let operand: SQL = isEquality && isDeterministic ? sql : "\(sql)\(collations.bytes.sql)"
      return "\(operand) \(word) \(Value.string(text))"
    case (.other, .string(let text)) where isEquality && !text.utf8.contains(0):
      return "\(sql)::text = \(value)"
    case (.timestampWithZone, .date(let date)), (.timestamp, .date(let date)),
      (.date, .date(let date)):
      guard date.hasMicroseconds else { return nil }
      let other: SQL =
        type == .timestampWithZone
        ? "\(Value.date(date))::timestamptz"
        : "(\(Value.date(date))::timestamptz AT TIME ZONE 'UTC')"
      let own: SQL = type == .date ? "\(sql)::timestamp" : sql
      // Infinity, and years that four digits do not write, are text here.
      return isEquality
        ? "\(own) = \(other)" : "\(own) \(word) \(other) AND \(isReadable)"
    default: return nil
    }
  }

  /// Whether a date is one that is read as a date here.
  var isReadable: SQL {
    "\(sql) BETWEEN '0001-01-01' AND '9999-12-31 23:59:59.999999'"
  }

  private func search(_ operation: FetchPredicate.Operator, _ value: Value) -> SQL? {
    guard case .text = type, case .string(let text) = value, !text.isEmpty,
      !text.utf8.contains(0)
    else { return nil }
    let length = text.unicodeScalars.count
    return switch operation {
    case .contains: "strpos(\(sql) COLLATE \"C\", \(value)) > 0"
    case .beginsWith: "left(\(sql), \(number: length)) COLLATE \"C\" = \(value)"
    default: "right(\(sql), \(number: length)) COLLATE \"C\" = \(value)"
    }
  }

  private func fits(_ number: Int64) -> Bool {
    guard case .integer(let bits) = type else { return false }
    return switch bits {
    case 16: Int16(exactly: number) != nil
    case 32: Int32(exactly: number) != nil
    default: true
    }
  }
}

extension ServerOperand {
  /// What an order compares; nil if the order is made here.
  ///
  /// NULLs, if there may be any, are set apart by a condition: an index has them after all values, and
  /// we before.
  func order(
    _ sort: FetchSortDescriptor, _ index: Int, mayBeNull: Bool, in schema: ServerSchema
  ) -> [OrderTerm]? {
    func condition(_ sql: SQL, ascending: Bool, constantWhen: Bool? = nil) -> OrderTerm {
      OrderTerm(
        sql, ascending: ascending, descriptor: index, isCondition: true,
        constantWhen: constantWhen)
    }
    let value = OrderTerm(sql, ascending: sort.ascending, descriptor: index)
    let isPresent =
      mayBeNull ? [condition("\(sql) IS NOT NULL", ascending: sort.ascending)] : []
    switch type {
    case .integer, .boolean, .uuid: return isPresent + [value]
    case .real, .double:
      // NaN is the least number here, and the greatest there.
      return isPresent + [
        condition(
          "(\(sql) IS NULL OR \(sql) <> 'NaN')", ascending: sort.ascending, constantWhen: false),
        value,
      ]
    case .date, .timestamp, .timestampWithZone, .numeric(isOurs: true):
      // Values that are no date or number here come last in both directions, and are equal.
      let isOurs: SQL = if case .numeric = type { "\(sql) <> 'NaN'" } else { isReadable }
      let isForeign: SQL = "(\(sql) IS NOT NULL AND NOT (\(isOurs)))"
      return [condition(isForeign, ascending: true, constantWhen: true)] + isPresent + [value]
    case .text(_, let collations):
      let collation: ServerCollation
      switch sort.comparison {
      case .binary: collation = collations.bytes
      case .collation(let own): collation = schema.collations.collation(own)
      case .caseInsensitive, .localized: return nil
      }
      return isPresent + [
        OrderTerm("\(sql)\(collation.sql)", ascending: sort.ascending, descriptor: index)
      ]
    case .numeric, .padded, .bytes, .other: return nil
    }
  }

  /// The term of ORDER BY for a part of a key, whose texts are compared as those of IDs are.
  var keyOrder: SQL {
    switch type {
    // The text of a UUID has the order of its bytes.
    case .integer, .boolean, .uuid: sql
    case .text(_, let collations): "\(sql)\(collations.bytes.sql)"
    default: "\(sql)::text COLLATE \"C\""
    }
  }
}

extension Value {
  fileprivate var wholeNumber: Int64? {
    switch self {
    case .integer(let number): number
    case .bool(let flag): flag ? 1 : 0
    default: nil
    }
  }

  fileprivate var digits: String {
    if case .decimal(let number) = self { "\(number)" } else { "" }
  }

  /// The double that has exactly this value; nil if there is none.
  fileprivate var exactDouble: Double? {
    switch self {
    case .double(let number): number
    case .integer(let number): Double(exactly: number)
    default: nil
    }
  }

  fileprivate var plainText: String? {
    switch self {
    case .string(let text): text
    case .url(let url): url.absoluteString
    default: nil
    }
  }
}

extension Date {
  /// Whether the date is a whole number of microseconds, as far as a double tells.
  fileprivate var hasMicroseconds: Bool {
    guard case .string(let text) = Value.string(Value.timestamp(self)) else { return false }
    let fraction = text.drop { $0 != "." }.dropFirst().prefix { $0.isNumber }
    return fraction.dropFirst(6).allSatisfy { $0 == "0" }
  }
}

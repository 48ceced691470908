import Foundation
import ObjectModel

/// Writes what of a predicate Datasette's filters of columns can say.
///
/// Filters are joined by AND. Those of texts are SQLite's LIKE, which ignores the case of ASCII and
/// has patterns: they return more, which is evaluated here. LIKE of a value that SQLite's `=` would
/// not find is never sent.
struct DatasetteFilter {
  /// Names and values of the query.
  private(set) var query: [(String, String)] = []
  /// The parts that are evaluated here, as predicate formats.
  private(set) var rest: [String] = []

  init(_ predicate: FetchPredicate, of entity: EntityDescription, _ table: DatasetteModel.Table) {
    for part in Self.conjuncts(of: predicate.node) {
      let filter = Self.filter(part, entity, table)
      if let filter { query.append((filter.name, filter.value)) }
      if filter?.isExact != true { rest.append(FetchPredicate(part).description) }
    }
  }

  private static func conjuncts(of node: FetchPredicate.Node) -> [FetchPredicate.Node] {
    if case .and(let nodes) = node { nodes.flatMap(conjuncts) } else { [node] }
  }

  private static func filter(
    _ node: FetchPredicate.Node, _ entity: EntityDescription, _ table: DatasetteModel.Table
  ) -> (name: String, value: String, isExact: Bool)? {
    guard case .comparison(let comparison) = node, comparison.modifier == .direct,
      case .keyPath(let path) = comparison.left, path.count == 1,
      let attribute = column(path[0], entity, table)
    else { return nil }
    let name = attribute.name
    switch comparison.right {
    case .constant(.null):
      switch comparison.operation {
      case .equal: return ("\(name)__isnull", "1", true)
      case .notEqual: return ("\(name)__notnull", "1", true)
      default: return nil
      }
    case .constant(let value):
      guard let test = test(comparison, value, attribute.type) else { return nil }
      return ("\(name)__\(test.operation)", test.text, test.isExact)
    case .object(let id) where comparison.operation == .equal:
      guard table.foreignKeys[path[0]] != nil, case .integer(let number) = id.key else {
        return nil
      }
      return ("\(name)__exact", "\(number)", true)
    case .list(let items) where comparison.operation == .in && comparison.options.isEmpty:
      let texts = items.compactMap { item -> String? in
        guard case .constant(let value) = item else { return nil }
        return text(value, attribute.type)
      }
      // A list with commas is JSON.
      guard texts.count == items.count, attribute.type.isNumeric else { return nil }
      return ("\(name)__in", texts.joined(separator: ","), true)
    default: return nil
    }
  }

  /// The column of a key: that of an attribute, or the foreign key of a relationship.
  private static func column(
    _ key: String, _ entity: EntityDescription, _ table: DatasetteModel.Table
  ) -> AttributeDescription? {
    entity.attribute(named: table.foreignKeys[key] ?? key)
  }

  private static func test(
    _ comparison: FetchPredicate.Comparison, _ value: Value, _ type: AttributeType
  ) -> (operation: String, text: String, isExact: Bool)? {
    guard let text = text(value, type) else { return nil }
    if type.isNumeric || type == .boolean {
      let operations: [FetchPredicate.Operator: String] = [
        .equal: "exact", .less: "lt", .lessOrEqual: "lte", .greater: "gt", .greaterOrEqual: "gte",
      ]
      return operations[comparison.operation].map { ($0, text, true) }
    }
    guard !text.isEmpty, !comparison.options.contains(.d) else { return nil }
    let ignoresCase = comparison.options.contains(.c)
    if ignoresCase {
      // LIKE knows no letters outside of ASCII, of which some fold to those of ASCII.
      let letters = Set(text.lowercased())
      guard text.utf8.allSatisfy({ $0 < 0x80 }),
        ODataTextCondition.foldedToASCII.allSatisfy({ $0.letters.isDisjoint(with: letters) })
      else { return nil }
    }
    switch comparison.operation {
    case .equal: return ignoresCase ? ("like", text, false) : ("exact", text, true)
    case .contains: return ("contains", text, false)
    case .beginsWith: return ("startswith", text, false)
    case .endsWith: return ("endswith", text, false)
    default: return nil
    }
  }

  /// A value as SQLite compares it with a column of a type; nil for one of another type.
  private static func text(_ value: Value, _ type: AttributeType) -> String? {
    switch (type, value) {
    case (.string, .string(let text)): text.unicodeScalars.contains("\0") ? nil : text
    case (.boolean, .bool(let truth)): truth ? "1" : "0"
    case (.integer64, .integer(let number)), (.double, .integer(let number)): "\(number)"
    case (.decimal, .integer(let number)): "\(number)"
    case (.integer64, .double(let number)), (.double, .double(let number)),
      (.decimal, .double(let number)):
      number.isFinite && number.magnitude < 1e15 ? "\(number)" : nil
    case (.decimal, .decimal(let number)), (.double, .decimal(let number)):
      number.isNaN ? nil : "\(number)"
    default: nil
    }
  }
}

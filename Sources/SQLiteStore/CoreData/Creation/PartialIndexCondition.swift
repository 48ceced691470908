import ObjectModel

/// The WHERE condition of a partial index, in the SQL that Core Data writes.
///
/// Translated are comparisons of columns with numbers and NULL, combined by AND, OR and NOT: real
/// stores have no others. For other conditions the index contains all rows, which serves the same
/// queries.
struct PartialIndexCondition {
  let sql: String

  /// Translates a predicate; nil if it cannot be translated.
  ///
  /// - Parameters:
  ///   - text: The predicate's format.
  ///   - column: Returns the column of an attribute or to-one.
  init?(_ text: String, column: (String) -> String?) {
    guard let predicate = try? FetchPredicate(format: text),
      let sql = Self.sql(of: predicate.node, column)
    else { return nil }
    self.sql = sql
  }

  private static func sql(of node: FetchPredicate.Node, _ column: (String) -> String?) -> String? {
    switch node {
    case .comparison(let comparison): sql(of: comparison, column)
    case .and(let parts): joined(parts, " AND ", column)
    case .or(let parts): joined(parts, " OR ", column)
    case .not(let part): sql(of: part, column).map { "NOT (\($0))" }
    case .constant: nil
    }
  }

  private static func joined(
    _ parts: [FetchPredicate.Node], _ separator: String, _ column: (String) -> String?
  ) -> String? {
    let texts = parts.compactMap { sql(of: $0, column) }
    guard texts.count == parts.count, !texts.isEmpty else { return nil }
    return "(\(texts.joined(separator: separator)))"
  }

  private static func sql(
    of comparison: FetchPredicate.Comparison, _ column: (String) -> String?
  ) -> String? {
    guard case .keyPath(let path) = comparison.left, path.count == 1,
      case .constant(let value) = comparison.right, comparison.modifier == .direct,
      comparison.options.isEmpty, let name = column(path[0]).map(CoreDataTable.identifier)
    else { return nil }
    if value.isNull {
      switch comparison.operation {
      case .equal: return "\(name) IS NULL"
      case .notEqual: return "\(name) IS NOT NULL"
      default: return nil
      }
    }
    let sign: String
    switch comparison.operation {
    case .equal: sign = "="
    case .notEqual: sign = "<>"
    case .less: sign = "<"
    case .lessOrEqual: sign = "<="
    case .greater: sign = ">"
    case .greaterOrEqual: sign = ">="
    default: return nil
    }
    switch value {
    case .integer(let number): return "\(name) \(sign) \(number)"
    case .bool(let flag): return "\(name) \(sign) \(flag ? 1 : 0)"
    default: return nil
    }
  }
}

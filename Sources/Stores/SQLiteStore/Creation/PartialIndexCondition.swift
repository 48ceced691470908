import ObjectModel

/// The WHERE condition of a partial index, in the SQL that Core Data writes.
///
/// Translated are comparisons of columns with numbers and NULL, combined by AND, OR and NOT: real
/// stores have no others. For other conditions the index contains all rows, which serves the same
/// queries.
struct PartialIndexCondition {
  /// Returns the column of an attribute or to-one.
  let column: (String) -> String?

  private static let signs: [FetchPredicate.Operator: String] = [
    .equal: "=", .notEqual: "<>", .less: "<", .lessOrEqual: "<=", .greater: ">",
    .greaterOrEqual: ">=",
  ]

  /// Translates a predicate's format; nil if it cannot be translated.
  func sql(_ text: String) -> String? {
    (try? FetchPredicate(format: text)).flatMap { sql(of: $0.node) }
  }

  private func sql(of node: FetchPredicate.Node) -> String? {
    switch node {
    case .comparison(let comparison): sql(of: comparison)
    case .and(let parts): joined(parts, " AND ")
    case .or(let parts): joined(parts, " OR ")
    case .not(let part): sql(of: part).map { "NOT (\($0))" }
    case .constant: nil
    }
  }

  private func joined(_ parts: [FetchPredicate.Node], _ separator: String) -> String? {
    let texts = parts.compactMap(sql)
    guard texts.count == parts.count, !texts.isEmpty else { return nil }
    return "(\(texts.joined(separator: separator)))"
  }

  private func sql(of comparison: FetchPredicate.Comparison) -> String? {
    guard case .keyPath(let path) = comparison.left, path.count == 1,
      case .constant(let value) = comparison.right, comparison.modifier == .direct,
      comparison.options.isEmpty, let name = column(path[0]).map(CoreDataTable.identifier),
      let sign = Self.signs[comparison.operation]
    else { return nil }
    if value.isNull {
      switch comparison.operation {
      case .equal: return "\(name) IS NULL"
      case .notEqual: return "\(name) IS NOT NULL"
      default: return nil
      }
    }
    switch value {
    case .integer(let number): return "\(name) \(sign) \(number)"
    case .bool(let flag): return "\(name) \(sign) \(flag ? 1 : 0)"
    default: return nil
    }
  }
}

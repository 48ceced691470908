import ObjectModel

/// Turns predicates into SQL that gives the same answer as matching them in memory, for every row.
///
/// Three ways lead there. A comparison of a column with literals becomes plain SQL, so that an index can serve it. A
/// condition on a collection becomes EXISTS or a counting subquery. Everything else (functions, casts, regular
/// expressions, mixed kinds) is handed to `cardfile_evaluate`, which calls the evaluator of memory with the columns'
/// values: that one cannot differ. Every condition is true or false, never NULL, wherever that can be told from outside.
struct QueryCompiler {
  /// Where key paths and variables of a condition start.
  struct Place {
    let scope: QueryScope
    var variables: [String: QueryScope] = [:]
  }

  let layout: StoreLayout
  let storeIdentifier: String

  /// The SQL of a condition.
  ///
  /// - Parameters:
  ///   - node: The condition.
  ///   - place: Where its key paths start.
  ///   - exact: Whether the result must be 0 or 1. Elsewhere NULL may stand for false, which leaves indexes usable.
  /// - Returns: The condition, safe to stand between AND and OR.
  /// - Throws: ``StoreError`` for an unknown name, and naming what cannot be translated.
  func condition(_ node: FetchPredicate.Node, at place: Place, exact: Bool) throws(StoreError)
    -> SQL
  {
    switch node {
    case .constant(let flag): return flag ? "1" : "0"
    case .and(let nodes):
      var parts: [SQL] = []
      for node in nodes { parts.append(try condition(node, at: place, exact: exact)) }
      return Self.balanced(parts, " AND ", empty: "1")
    case .or(let nodes):
      return Self.balanced(try alternatives(nodes, at: place, exact: exact), " OR ", empty: "0")
    case .not(let node):
      return "(NOT \(try condition(node, at: place, exact: true)))"
    case .comparison(let comparison):
      return try condition(comparison, at: place, exact: exact)
    }
  }

  /// Terms joined as a balanced tree: SQLite bounds the depth of an expression, and a long row of terms is deep.
  static func balanced(_ terms: [SQL], _ word: SQL, empty: SQL) -> SQL {
    guard let first = terms.first else { return empty }
    guard terms.count > 1 else { return first }
    guard terms.count > 100 else { return "(\(terms.joined(word)))" }
    let middle = terms.count / 2
    let left = balanced(Array(terms[..<middle]), word, empty: empty)
    let right = balanced(Array(terms[middle...]), word, empty: empty)
    return "(\(left)\(word)\(right))"
  }

  /// The terms of an OR; those that seek the same text in several columns become one call, which is what makes a search
  /// of all columns fast.
  private func alternatives(_ nodes: [FetchPredicate.Node], at place: Place, exact: Bool)
    throws(StoreError) -> [SQL]
  {
    var searches: [TextSearch: [SQL]] = [:]
    var terms: [SQL] = []
    for node in nodes {
      if case .comparison(let comparison) = node, comparison.modifier == .direct,
        let (search, column) = try textSearch(comparison, at: place)
      {
        searches[search, default: []].append(column.sql)
      } else {
        terms.append(try condition(node, at: place, exact: exact))
      }
    }
    // Sorted, so that a predicate always gives the same statement.
    let calls = searches.sorted { $0.key.needle < $1.key.needle }.flatMap { search, columns in
      stride(from: 0, to: columns.count, by: 100).map {
        search.call(Array(columns[$0..<min($0 + 100, columns.count)]))
      }
    }
    return calls + terms
  }
}

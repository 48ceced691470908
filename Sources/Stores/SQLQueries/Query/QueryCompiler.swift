package import ObjectModel

/// Translates predicates to SQL that has the same result for every row as evaluation in memory.
///
/// - A comparison of a column with literals becomes plain SQL, which can use an index.
/// - A condition on a to-many relationship becomes EXISTS or a counting subquery.
/// - Everything else (functions, casts, regular expressions, mixed types) is passed to
///   `cardfile_evaluate`, which evaluates the predicate in memory with the columns' values.
///
/// A condition is NULL instead of false only where NULL and false have the same effect.
///
/// The SQL calls functions whose names begin with `cardfile_`. A store registers them on each
/// connection.
package struct QueryCompiler {
  /// The scopes of a condition's key paths and variables.
  package struct Scopes {
    /// The scope of the object that the condition is about.
    let subject: QueryScope
    /// The scopes of variables, by name.
    var variables: [String: QueryScope] = [:]
    /// How many symbols SQLite's parser holds around the condition, of at most 100.
    private(set) var depth = 0

    /// The greatest ``depth`` of a condition that is translated part by part.
    static let maximumDepth = 45

    package init(_ subject: QueryScope) { self.subject = subject }

    /// The scopes inside of parentheses with an operator.
    var nested: Scopes { deeper(by: 3) }

    /// The scopes inside of a subquery.
    var inSubquery: Scopes { deeper(by: 12) }

    private func deeper(by count: Int) -> Scopes {
      var inner = self
      inner.depth += count
      return inner
    }
  }

  package let layout: StoreLayout
  package let storeIdentifier: String

  package init(layout: StoreLayout, storeIdentifier: String) {
    self.layout = layout
    self.storeIdentifier = storeIdentifier
  }

  /// The SQL of a condition, as an operand of AND and OR: exactly 0 or 1, or else also NULL instead
  /// of 0, which lets SQLite use indexes.
  ///
  /// - Throws: ``StoreError`` for an unknown name or an untranslatable expression.
  package func condition(_ node: FetchPredicate.Node, in scopes: Scopes, exact: Bool)
    throws(StoreError)
    -> SQL
  {
    switch node {
    case .constant(let flag): return flag ? "1" : "0"
    case .comparison(let comparison):
      return try condition(comparison, in: scopes, exact: exact)
    // SQLite's parser would overflow.
    case _ where scopes.depth > Scopes.maximumDepth: return try evaluated(node, in: scopes)
    case .and(let nodes):
      let parts = try nodes.map { node throws(StoreError) in
        try condition(node, in: scopes.nested, exact: exact)
      }
      return Self.balanced(parts, " AND ", empty: "1")
    case .or(let nodes):
      return Self.balanced(
        try alternatives(nodes, in: scopes.nested, exact: exact), " OR ", empty: "0")
    case .not(let node):
      return "(NOT \(try condition(node, in: scopes.nested, exact: true)))"
    }
  }

  /// Joins terms as a balanced tree, because SQLite limits the depth of an expression.
  static func balanced(_ terms: [SQL], _ word: SQL, empty: SQL) -> SQL {
    guard let first = terms.first else { return empty }
    guard terms.count > 1 else { return first }
    guard terms.count > 100 else { return "(\(terms.joined(word)))" }
    let middle = terms.count / 2
    let left = balanced(Array(terms[..<middle]), word, empty: empty)
    let right = balanced(Array(terms[middle...]), word, empty: empty)
    return "(\(left)\(word)\(right))"
  }

  /// The terms of an OR.
  ///
  /// Searches for one text in several columns become one function call, which
  /// makes a search in all columns fast.
  private func alternatives(_ nodes: [FetchPredicate.Node], in scopes: Scopes, exact: Bool)
    throws(StoreError) -> [SQL]
  {
    var searches: [TextSearch: [SQL]] = [:]
    var terms: [SQL] = []
    for node in nodes {
      if case .comparison(let comparison) = node, comparison.modifier == .direct,
        let (search, column) = try textSearch(comparison, in: scopes)
      {
        searches[search, default: []].append(column.searched)
      } else {
        terms.append(try condition(node, in: scopes, exact: exact))
      }
    }
    // Sorted, so that equal predicates have equal SQL, whose prepared statement is kept.
    let calls = searches.sorted { $0.key.needle < $1.key.needle }.flatMap { search, columns in
      columns.chunks(of: 100).map { search.call(Array($0)) }
    }
    return calls + terms
  }
}

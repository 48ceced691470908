package import ObjectModel

extension QueryCompiler {
  /// The terms of ORDER BY; the last one is the key, which makes the order total.
  ///
  /// - Parameters:
  ///   - descriptors: The order.
  ///   - scope: The entity.
  ///   - isReversed: Whether the last object comes first.
  /// - Returns: The terms, with their directions.
  /// - Throws: ``StoreError`` if objects cannot be sorted by a descriptor.
  package func order(
    _ descriptors: [FetchSortDescriptor], in scope: QueryScope, isReversed: Bool = false
  ) throws(StoreError) -> [SQL] {
    try orderTerms(descriptors, in: scope).map { $0.inSQLite(isReversed: isReversed) }
  }

  /// What the order of a fetch compares, in the scope of its statement, in which its sections come
  /// first.
  ///
  /// - Throws: ``StoreError`` if objects cannot be sorted or divided so.
  package func orderTerms(of plan: FetchPlan, in scope: QueryScope) throws(StoreError)
    -> [OrderTerm]
  {
    if let key = plan.sectionKey { _ = try sortColumn(key.keyPath, in: scope) }
    return try orderTerms(plan.sortDescriptors, in: scope)
  }

  /// What an order compares, one after the other; the last term is the key.
  ///
  /// - Throws: ``StoreError`` if objects cannot be sorted by a descriptor.
  package func orderTerms(_ descriptors: [FetchSortDescriptor], in scope: QueryScope)
    throws(StoreError) -> [OrderTerm]
  {
    var terms: [OrderTerm] = []
    var known: Set<FetchSortDescriptor> = []
    for (index, descriptor) in descriptors.enumerated() {
      // What is equal by a descriptor is equal by the same one again.
      guard known.insert(descriptor).inserted else { continue }
      let column = try sortColumn(descriptor.keyPath, in: scope)
      if let collation = descriptor.collation {
        throw scope.unsupported("the store has no collation “\(collation.name)”")
      }
      let ascending = descriptor.ascending
      if column.isRowid(of: scope) {  // the key is unique: further terms have no effect
        return terms + [OrderTerm(column.ordered, ascending: ascending, descriptor: index)]
      }
      if let last = column.foreignLast(isAscending: ascending) {
        terms.append(
          OrderTerm(
            last, ascending: true, descriptor: index, isCondition: true,
            range: column.foreignRange))
      }
      if let options = descriptor.folding {
        let folded = column.folded(options)
        terms.append(
          OrderTerm(
            folded, ascending: ascending, descriptor: index, isPresent: "\(folded) IS NOT NULL"))
      }
      let value: SQL = "\(column.ordered) COLLATE BINARY"
      terms.append(
        OrderTerm(
          value, ascending: ascending, descriptor: index,
          isPresent: column.least.map { "\(value) >= \($0)" } ?? "\(value) IS NOT NULL"))
    }
    return terms + scope.keyOrder.map { OrderTerm($0, ascending: true) }
  }

  /// The column of a sort descriptor or a section key.
  package func sortColumn(_ keyPath: String, in scope: QueryScope) throws(StoreError)
    -> ColumnOperand
  {
    guard let path = KeyPathText.components(of: keyPath) else {
      throw scope.unsupported("\"\(keyPath)\" is not a key path")
    }
    guard case .attribute(let column) = try scope.follow(path) else {
      throw scope.unsupported("\"\(keyPath)\" is not an attribute: objects cannot be sorted by it")
    }
    return column
  }
}

extension OrderTerm {
  /// The term with its direction, or the opposite one.
  package func inSQLite(isReversed: Bool) -> SQL {
    ascending == isReversed ? "\(sql) DESC" : sql
  }
}

extension ColumnOperand {
  /// The least value that is not NULL, as SQLite compares it with the column; nil if not known.
  ///
  /// An index looks up what is not less than it, but reads all NULLs for what is not NULL.
  fileprivate var least: SQL? {
    guard form == .stored else { return nil }
    return switch affinity {
    case .text: "''"
    case .numeric, .real, .none: "-9e999"
    case .unknown: nil
    }
  }

  /// That a value is no number, as SQLite looks it up; nil if there is no such condition.
  fileprivate var foreignRange: SQL? {
    guard attribute.kind == .number, form == .stored else { return nil }
    return switch affinity {
    case .numeric, .real, .none: "\(sql) COLLATE BINARY >= ''"
    case .text, .unknown: nil
    }
  }

  /// Whether this is the rowid of a scope's table.
  package func isRowid(of scope: QueryScope) -> Bool {
    guard case .rowid(let name) = scope.table.key else { return false }
    return sql == scope.column(name)
  }

  /// The sort key, with text folded.
  package func folded(_ options: TextFolding.Options) -> SQL {
    "cardfile_fold(\(ordered), \(number: options.rawValue))"
  }
}

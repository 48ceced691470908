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
    let forwards: SQL = isReversed ? " DESC" : ""
    let backwards: SQL = isReversed ? "" : " DESC"
    var terms: [SQL] = []
    var known: Set<FetchSortDescriptor> = []
    for descriptor in descriptors {
      // What is equal by a descriptor is equal by the same one again.
      guard known.insert(descriptor).inserted else { continue }
      let column = try sortColumn(descriptor.keyPath, in: scope)
      let direction = descriptor.ascending ? forwards : backwards
      let isKey = column.isRowid(of: scope)
      if isKey {  // the key is unique: further terms have no effect
        return terms + ["\(column.ordered)\(direction)"]
      }
      if let last = column.foreignLast(isAscending: descriptor.ascending) {
        terms.append("\(last)\(forwards)")
      }
      if let options = descriptor.folding { terms.append("\(column.folded(options))\(direction)") }
      terms.append("\(column.ordered) COLLATE BINARY\(direction)")
    }
    return terms + scope.keyOrder.map { "\($0)\(forwards)" }
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

extension ColumnOperand {
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

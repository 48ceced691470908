import ObjectModel

extension QueryCompiler {
  /// The terms of an order; the key ends it, so that it is whole.
  func order(_ descriptors: [FetchSortDescriptor], at scope: QueryScope) throws(StoreError) -> [SQL]
  {
    var terms: [SQL] = []
    for descriptor in descriptors {
      let column = try sortColumn(descriptor.keyPath, at: scope)
      let direction: SQL = descriptor.ascending ? "" : " DESC"
      let isKey = column.isRowid(of: scope)
      if isKey {  // nothing ties after the key
        return terms + ["\(column.ordered)\(direction)"]
      }
      if let options = descriptor.folding { terms.append("\(column.folded(options))\(direction)") }
      terms.append("\(column.ordered) COLLATE BINARY\(direction)")
    }
    return terms + scope.keyColumns
  }

  /// The column that a sort descriptor or a section key reads.
  func sortColumn(_ keyPath: String, at scope: QueryScope) throws(StoreError) -> ColumnOperand {
    guard let path = KeyPathText.components(of: keyPath) else {
      throw scope.unsupported("\"\(keyPath)\" is no key path")
    }
    guard case .attribute(let column) = try scope.follow(path) else {
      throw scope.unsupported("\"\(keyPath)\" leads to no attribute: nothing can be ordered by it")
    }
    return column
  }
}

extension ColumnOperand {
  /// Whether this is the rowid of a scope's own table.
  func isRowid(of scope: QueryScope) -> Bool {
    guard case .rowid(let name) = scope.table.key else { return false }
    return sql == scope.column(name)
  }

  /// The value folded, for an order of text; what is no text stands as it is.
  func folded(_ options: TextFolding.Options) -> SQL {
    "cardfile_fold(\(ordered), \(number: options.rawValue))"
  }
}

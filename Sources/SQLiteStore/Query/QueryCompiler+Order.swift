import ObjectModel

extension QueryCompiler {
  /// The terms of an order; the key ends it, so that it is whole.
  func order(_ descriptors: [FetchSortDescriptor], at scope: QueryScope) throws(StoreError) -> [SQL]
  {
    var terms: [SQL] = []
    for descriptor in descriptors {
      let column = try sortColumn(descriptor.keyPath, at: scope)
      let direction = SQL.raw(descriptor.ascending ? "" : " DESC")
      let isKey = column.isRowid(of: scope)
      let plain = column.ordered + .raw(isKey ? "" : " COLLATE BINARY")
      if let options = descriptor.folding, !isKey {
        terms.append(column.folded(options) + direction)
      }
      terms.append(plain + direction)
      if isKey { return terms }  // nothing ties after the key
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
    .raw("cardfile_fold(") + ordered + .raw(", \(options.rawValue))")
  }
}

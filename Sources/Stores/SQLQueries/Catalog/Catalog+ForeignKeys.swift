/// Foreign keys that SQLite cannot enforce.
///
/// They are legal, because SQLite enforces none unless a program asks for it, but a statement that
/// would have to check one fails where it does.
extension Catalog {
  /// The ordinary table with a name, also one that a virtual table stores its data in; nil if there
  /// is none.
  package func table(named name: String) -> Table? {
    func find(_ tables: [Table]) -> Table? {
      tables.first { $0.kind == .table && $0.name.isSameName(as: name) }
    }
    return find(tables) ?? find(shadows)
  }

  /// The columns of a parent table that a foreign key refers to; nil if they are not there.
  package func referencedColumns(of key: ForeignKey, in parent: Table) -> [Column]? {
    let columns = key.referenced(in: parent).compactMap(parent.column(named:))
    return columns.count == key.columns.count ? columns : nil
  }

  /// Why a foreign key cannot be enforced, as SQLite finds out; nil if it can.
  package func obstacle(to key: ForeignKey) -> String? {
    guard let parent = table(named: key.parent) else {
      guard let other = tables.first(where: { $0.name.isSameName(as: key.parent) }) else {
        return "there is no table \(key.parent)"
      }
      return other.kind == .view ? "\(other.name) is a view" : "\(other.name) is a virtual table"
    }
    if let missing = key.referenced.first(where: { parent.column(named: $0) == nil }) {
      return "\(parent.name) has no column \(missing)"
    }
    guard let referenced = referencedColumns(of: key, in: parent) else {
      let count = parent.primaryKey.count
      return switch count {
      case 0: "\(parent.name) has no primary key"
      case 1: "the primary key of \(parent.name) has one column"
      default: "the primary key of \(parent.name) has \(count) columns"
      }
    }
    let names = referenced.map(\.name)
    guard parent.hasKey(ofExactly: referenced, isImplicit: key.referenced.isEmpty) else {
      return names.count == 1
        ? "\(parent.name).\(names[0]) is not unique"
        : "\(names.joined(separator: ", ")) of \(parent.name) are not unique together"
    }
    return referenced.first { !has($0.collation) }.map {
      "\(parent.name).\($0.name) is compared by the collation \($0.collation), which is not"
        + " available here"
    }
  }

  /// The foreign keys that cannot be enforced, with their tables and the reasons.
  package var unenforcedKeys: [(table: String, key: ForeignKey, obstacle: String)] {
    tables.flatMap { table in
      table.foreignKeys.compactMap { key in
        obstacle(to: key).map { (table.name, key, $0) }
      }
    }
  }
}

extension Catalog.Table {
  /// Whether some columns are the rowid, or those of a unique index that compares them by their own
  /// collations; the index must be that of the primary key for a foreign key that names no columns.
  fileprivate func hasKey(ofExactly columns: [Catalog.Column], isImplicit: Bool) -> Bool {
    if columns.count == 1, columns[0] == rowidAlias { return true }
    return uniqueIndexes.contains { index in
      guard index.columns.count == columns.count else { return false }
      if isImplicit { return index.isPrimaryKey }
      return index.parts.allSatisfy { part in
        columns.contains { $0.name == part.name && $0.collation.isSameName(as: part.collation) }
      }
    }
  }
}

extension Catalog.ForeignKey {
  /// The columns of a foreign key, as `r` or `(a, b)`.
  package var columnList: String {
    columns.count == 1 ? columns[0] : "(\(columns.joined(separator: ", ")))"
  }
}

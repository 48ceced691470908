import ObjectModel
import SQLQueries

/// The schema of a database: tables, views, columns, foreign keys and unique indexes.
struct Catalog: Hashable {
  /// A table or view.
  struct Table: Hashable {
    /// The kind of table.
    enum Kind: Hashable {
      case table
      case view
      /// A virtual table of a module.
      case virtual(module: String)
    }

    var name: String
    var kind: Kind
    var isWithoutRowid = false
    var columns: [Column] = []
    var foreignKeys: [ForeignKey] = []
    /// Unique indexes on columns only, without a WHERE clause.
    var uniqueIndexes: [UniqueIndex] = []
    /// A name of the rowid; nil if there is none, or if columns have all of its names.
    var rowidName: String?
  }

  /// A visible column.
  struct Column: Hashable {
    var name: String
    var declaredType: String
    var isNotNull = false
    /// The DEFAULT clause's expression; nil if there is none.
    var defaultText: String?
    /// The position in the primary key, from 1; 0 if the column is not part of it.
    var keyPosition = 0
    var isGenerated = false
  }

  /// A foreign key.
  struct ForeignKey: Hashable {
    var parent: String
    var columns: [String]
    /// The parent's columns; empty for its primary key.
    var referenced: [String]
    /// The action of the ON DELETE clause.
    var onDelete: String
  }

  /// A unique index.
  struct UniqueIndex: Hashable {
    var columns: [String]
    /// The collations of the index, which may differ from those of the columns.
    var collations: [String] = []
    /// Whether it is the index of a primary key other than the rowid.
    var isPrimaryKey: Bool
    /// Whether it indexes an expression.
    var hasExpression = false
  }

  /// Readable tables and views, sorted by name.
  var tables: [Table] = []
  /// Other tables, each with its purpose or the reason why it cannot be read.
  var hidden: [StoreSummary.OtherTable] = []
}

extension Catalog.Table {
  /// The columns of the primary key, in its order.
  var primaryKey: [Catalog.Column] {
    columns.filter { $0.keyPosition > 0 }.sorted { $0.keyPosition < $1.keyPosition }
  }

  /// The column that is an alias of the rowid; nil if there is none.
  ///
  /// Only an `INTEGER PRIMARY KEY` is; any other primary key has an index.
  var rowidAlias: Catalog.Column? {
    let key = primaryKey
    guard kind == .table, !isWithoutRowid, key.count == 1, let column = key.first,
      column.declaredType.uppercased() == "INTEGER", !uniqueIndexes.contains(where: \.isPrimaryKey)
    else { return nil }
    return column
  }

  /// The column with a name, compared without the case of ASCII letters.
  func column(named name: String) -> Catalog.Column? {
    columns.first { $0.name == name } ?? columns.first { $0.name.isSameName(as: name) }
  }

  /// Whether a unique index covers these columns.
  func isUnique(_ names: [String]) -> Bool {
    let names = Set(names)
    if let alias = rowidAlias, names.contains(alias.name) { return true }
    return uniqueIndexes.contains { !$0.columns.isEmpty && names.isSuperset(of: $0.columns) }
  }
}

extension String {
  /// Whether two names are equal for SQLite, which ignores the case of ASCII letters only.
  func isSameName(as other: String) -> Bool {
    utf8.elementsEqual(other.utf8) { $0.asciiLowercased == $1.asciiLowercased }
  }
}

extension UInt8 {
  /// The lowercase letter of an ASCII capital; any other byte unchanged.
  fileprivate var asciiLowercased: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}

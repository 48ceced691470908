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
    /// Whether the types of its columns are enforced, and ANY converts nothing.
    var isStrict = false
    var columns: [Column] = []
    var foreignKeys: [ForeignKey] = []
    var indexes: [Index] = []
    /// A name of the rowid; nil if there is none, or if columns have all of its names.
    var rowidName: String?
    /// The collations of its indexes that SQLite does not have here: the order of those indexes is
    /// not known, so they can be neither used nor written.
    var unknownCollations: [String] = []
    /// The INSTEAD OF triggers of a view; not those of tables.
    var triggers: [String] = []
    /// Generated columns that cannot be read, each with SQLite's reason.
    var unreadableColumns: [UnreadableColumn] = []
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
    var collation = "BINARY"
  }

  /// A generated column that is not among the columns of its table, because it cannot be computed.
  struct UnreadableColumn: Hashable {
    var name: String
    var reason: String
  }

  /// A foreign key.
  struct ForeignKey: Hashable {
    var parent: String
    var columns: [String]
    /// The parent's columns; empty for its primary key.
    var referenced: [String]
    /// The actions of the ON DELETE and ON UPDATE clauses, in capitals.
    var onDelete: String
    var onUpdate: String

    /// The names of the parent's columns.
    func referenced(in parent: Table) -> [String] {
      referenced.isEmpty ? parent.primaryKey.map(\.name) : referenced
    }
  }

  /// An index.
  struct Index: Hashable {
    /// What is indexed: a column or an expression, which has no name.
    struct Part: Hashable {
      var name: String?
      /// The collation of the index, which may differ from that of the column.
      var collation: String
    }

    var isUnique: Bool
    /// Whether it is the index of a primary key other than the rowid.
    var isPrimaryKey: Bool
    /// Whether it has a WHERE clause.
    var isPartial: Bool
    var parts: [Part] = []
    /// The collations of its parts, and of the key that follows them.
    var collations: [String] = []

    /// The columns among its parts.
    var columns: [String] { parts.compactMap(\.name) }
  }

  /// Readable tables and views, sorted by name.
  var tables: [Table] = []
  /// The tables in which virtual tables store their data.
  var shadows: [Table] = []
  /// Other tables, each with its purpose or the reason why it cannot be read.
  var hidden: [StoreSummary.OtherTable] = []
  /// The collations that the schema names and SQLite does not have here, by ``String/nameKey``.
  var unknownCollations: Set<String> = []
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

  /// The unique indexes on columns only, without a WHERE clause.
  var uniqueIndexes: [Catalog.Index] {
    indexes.filter { index in
      index.isUnique && !index.isPartial && index.parts.allSatisfy { $0.name != nil }
    }
  }

  /// Whether an index without a WHERE clause has the values of a column in their order.
  func isIndexed(_ column: String) -> Bool {
    let part = Catalog.Index.Part(name: column, collation: "BINARY")
    return indexes.contains { !$0.isPartial && $0.parts.first == part }
  }

  /// How SQLite converts what is stored in a column.
  func conversion(of column: Catalog.Column) -> StorageConversion {
    guard kind == .table else { return .none }
    switch ColumnAffinity(declaredType: column.declaredType) {
    case .text: return .text
    case .numeric: return .numeric
    case .real: return .real
    case .none: return .none
    case .unknown: return isStrict ? .none : .numeric
    }
  }

  /// Whether a unique index covers these columns.
  func isUnique(_ names: [String]) -> Bool {
    let names = Set(names)
    if let alias = rowidAlias, names.contains(alias.name) { return true }
    return uniqueIndexes.contains { !$0.columns.isEmpty && names.isSuperset(of: $0.columns) }
  }
}

extension Catalog {
  /// Whether SQLite has a collation here.
  func has(_ collation: String) -> Bool { !unknownCollations.contains(collation.nameKey) }
}

extension String {
  /// The name with small ASCII letters: that of two names that are equal for SQLite.
  var nameKey: String { String(decoding: utf8.map(\.asciiLowercased), as: UTF8.self) }

  /// Whether two names are equal for SQLite, which ignores the case of ASCII letters only.
  func isSameName(as other: String) -> Bool {
    utf8.elementsEqual(other.utf8) { $0.asciiLowercased == $1.asciiLowercased }
  }
}

extension UInt8 {
  /// The lowercase letter of an ASCII capital; any other byte unchanged.
  fileprivate var asciiLowercased: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}

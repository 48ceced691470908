package import ObjectModel

/// The schema of a database: tables, views, columns, foreign keys and unique indexes.
package struct Catalog: Hashable {
  /// A table or view.
  package struct Table: Hashable {
    /// The kind of table.
    package enum Kind: Hashable {
      case table
      case view
      /// A virtual table of a module.
      case virtual(module: String)
    }

    package var name: String
    package var kind: Kind
    package var isWithoutRowid = false
    /// Whether the types of its columns are enforced, and ANY converts nothing.
    package var isStrict = false
    package var columns: [Column] = []
    package var foreignKeys: [ForeignKey] = []
    package var indexes: [Index] = []
    /// A name of the rowid; nil if there is none, or if columns have all of its names.
    package var rowidName: String?
    /// The collations of its indexes that SQLite does not have here: the order of those indexes is
    /// not known, so they can be neither used nor written.
    package var unknownCollations: [String] = []
    /// The INSTEAD OF triggers of a view; not those of tables.
    package var triggers: [String] = []
    /// Generated columns that cannot be read, each with SQLite's reason.
    package var unreadableColumns: [UnreadableColumn] = []

    package init(
      name: String, kind: Kind, isWithoutRowid: Bool = false, isStrict: Bool = false,
      columns: [Column] = [], foreignKeys: [ForeignKey] = [], indexes: [Index] = [],
      rowidName: String? = nil, unknownCollations: [String] = []
    ) {
      (self.name, self.kind, self.columns) = (name, kind, columns)
      (self.isWithoutRowid, self.isStrict, self.rowidName) = (isWithoutRowid, isStrict, rowidName)
      (self.foreignKeys, self.indexes) = (foreignKeys, indexes)
      self.unknownCollations = unknownCollations
    }
  }

  /// A visible column.
  package struct Column: Hashable {
    package var name: String
    package var declaredType: String
    package var isNotNull = false
    /// The DEFAULT clause's expression; nil if there is none.
    package var defaultText: String?
    /// The position in the primary key, from 1; 0 if the column is not part of it.
    package var keyPosition = 0
    package var isGenerated = false
    package var collation = "BINARY"

    package init(
      name: String, declaredType: String, isNotNull: Bool = false, defaultText: String? = nil,
      keyPosition: Int = 0, isGenerated: Bool = false
    ) {
      (self.name, self.declaredType, self.isNotNull) = (name, declaredType, isNotNull)
      (self.defaultText, self.keyPosition, self.isGenerated) = (
        defaultText, keyPosition, isGenerated
      )
    }
  }

  /// A generated column that is not among the columns of its table, because it cannot be computed.
  package struct UnreadableColumn: Hashable {
    package var name: String
    package var reason: String

    package init(name: String, reason: String) { (self.name, self.reason) = (name, reason) }
  }

  /// A foreign key.
  package struct ForeignKey: Hashable {
    package var parent: String
    package var columns: [String]
    /// The parent's columns; empty for its primary key.
    package var referenced: [String]
    /// The actions of the ON DELETE and ON UPDATE clauses, in capitals.
    package var onDelete: String
    package var onUpdate: String

    package init(
      parent: String, columns: [String], referenced: [String], onDelete: String, onUpdate: String
    ) {
      (self.parent, self.columns, self.referenced) = (parent, columns, referenced)
      (self.onDelete, self.onUpdate) = (onDelete, onUpdate)
    }

    /// The names of the parent's columns.
    package func referenced(in parent: Table) -> [String] {
      referenced.isEmpty ? parent.primaryKey.map(\.name) : referenced
    }
  }

  /// An index.
  package struct Index: Hashable {
    /// What is indexed: a column or an expression, which has no name.
    package struct Part: Hashable {
      package var name: String?
      /// The collation of the index, which may differ from that of the column.
      package var collation: String

      package init(name: String?, collation: String) {
        (self.name, self.collation) = (name, collation)
      }
    }

    package var isUnique: Bool
    /// Whether it is the index of a primary key other than the rowid.
    package var isPrimaryKey: Bool
    /// Whether it has a WHERE clause.
    package var isPartial: Bool
    package var parts: [Part] = []
    /// The collations of its parts, and of the key that follows them.
    package var collations: [String] = []

    package init(isUnique: Bool, isPrimaryKey: Bool, isPartial: Bool, parts: [Part] = []) {
      (self.isUnique, self.isPrimaryKey, self.isPartial) = (isUnique, isPrimaryKey, isPartial)
      self.parts = parts
    }

    /// The columns among its parts.
    package var columns: [String] { parts.compactMap(\.name) }
  }

  /// Readable tables and views, sorted by name.
  package var tables: [Table] = []
  /// The tables in which virtual tables store their data.
  package var shadows: [Table] = []
  /// Other tables, each with its purpose or the reason why it cannot be read.
  package var hidden: [StoreSummary.OtherTable] = []
  /// The collations that the schema names and SQLite does not have here, by ``String/nameKey``.
  package var unknownCollations: Set<String> = []

  package init() {}
}

extension Catalog.Table {
  /// The columns of the primary key, in its order.
  package var primaryKey: [Catalog.Column] {
    columns.filter { $0.keyPosition > 0 }.sorted { $0.keyPosition < $1.keyPosition }
  }

  /// The column that is an alias of the rowid; nil if there is none.
  ///
  /// Only an `INTEGER PRIMARY KEY` is; any other primary key has an index.
  package var rowidAlias: Catalog.Column? {
    let key = primaryKey
    guard kind == .table, !isWithoutRowid, key.count == 1, let column = key.first,
      column.declaredType.uppercased() == "INTEGER", !uniqueIndexes.contains(where: \.isPrimaryKey)
    else { return nil }
    return column
  }

  /// The column with a name, compared without the case of ASCII letters.
  package func column(named name: String) -> Catalog.Column? {
    columns.first { $0.name == name } ?? columns.first { $0.name.isSameName(as: name) }
  }

  /// The unique indexes on columns only, without a WHERE clause.
  package var uniqueIndexes: [Catalog.Index] {
    indexes.filter { index in
      index.isUnique && !index.isPartial && index.parts.allSatisfy { $0.name != nil }
    }
  }

  /// Whether an index without a WHERE clause has the values of a column in their order.
  package func isIndexed(_ column: String) -> Bool {
    let part = Catalog.Index.Part(name: column, collation: "BINARY")
    return indexes.contains { !$0.isPartial && $0.parts.first == part }
  }

  /// How SQLite converts what is stored in a column.
  package func conversion(of column: Catalog.Column) -> StorageConversion {
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
  package func isUnique(_ names: [String]) -> Bool {
    let names = Set(names)
    if let alias = rowidAlias, names.contains(alias.name) { return true }
    return uniqueIndexes.contains { !$0.columns.isEmpty && names.isSuperset(of: $0.columns) }
  }
}

extension Catalog {
  /// Whether SQLite has a collation here.
  package func has(_ collation: String) -> Bool { !unknownCollations.contains(collation.nameKey) }
}

extension String {
  /// The name with small ASCII letters: that of two names that are equal for SQLite.
  package var nameKey: String { String(decoding: utf8.map(\.asciiLowercased), as: UTF8.self) }

  /// Whether two names are equal for SQLite, which ignores the case of ASCII letters only.
  package func isSameName(as other: String) -> Bool {
    utf8.elementsEqual(other.utf8) { $0.asciiLowercased == $1.asciiLowercased }
  }
}

extension UInt8 {
  /// The lowercase letter of an ASCII capital; any other byte unchanged.
  fileprivate var asciiLowercased: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}

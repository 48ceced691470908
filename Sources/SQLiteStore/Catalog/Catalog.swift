import ObjectModel

/// What a database says of its tables and views: the facts, before anything is made of them.
struct Catalog: Hashable {
  /// A table or view.
  struct Table: Hashable {
    /// What it is.
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
    /// Unique indexes on columns alone, without a condition.
    var uniqueIndexes: [UniqueIndex] = []
    /// A name by which the rowid can be read; nil where there is none, or columns have taken all its names.
    var rowidName: String?
  }

  /// A column that can be read.
  struct Column: Hashable {
    var name: String
    var declaredType: String
    var isNotNull = false
    /// The text of the DEFAULT; nil for none.
    var defaultText: String?
    /// Its place in the primary key, from 1; 0 when it is not in it.
    var keyPlace = 0
    var isGenerated = false
  }

  /// A foreign key.
  struct ForeignKey: Hashable {
    var parent: String
    var columns: [String]
    /// The parent's columns; empty for its primary key.
    var referenced: [String]
    /// What stands after ON DELETE.
    var onDelete: String
  }

  /// A unique index.
  struct UniqueIndex: Hashable {
    var columns: [String]
    /// The collations by which the index tells the columns' values apart, which need not be the columns' own.
    var collations: [String] = []
    /// Whether it is the index of a primary key that is not the rowid itself.
    var isPrimaryKey: Bool
    /// Whether it is on more than columns.
    var hasExpression = false
  }

  /// Tables and views that can be read, by name.
  var tables: [Table] = []
  /// The others, each with a word about it.
  var hidden: [StoreSummary.OtherTable] = []
}

extension Catalog.Table {
  /// The columns of the declared primary key, in its order.
  var primaryKey: [Catalog.Column] {
    columns.filter { $0.keyPlace > 0 }.sorted { $0.keyPlace < $1.keyPlace }
  }

  /// The column that is another name of the rowid; nil when there is none.
  ///
  /// Only `INTEGER PRIMARY KEY` spelled so is; any other primary key has an index of its own.
  var rowidAlias: Catalog.Column? {
    let key = primaryKey
    guard kind == .table, !isWithoutRowid, key.count == 1, let column = key.first,
      column.declaredType.uppercased() == "INTEGER", !uniqueIndexes.contains(where: \.isPrimaryKey)
    else { return nil }
    return column
  }

  /// The column of a name, which SQLite compares without the case of ASCII letters.
  func column(named name: String) -> Catalog.Column? {
    columns.first { $0.name == name } ?? columns.first { $0.name.isSameName(as: name) }
  }

  /// Whether no two rows have the same values in these columns.
  func isUnique(_ names: [String]) -> Bool {
    let names = Set(names)
    if let alias = rowidAlias, names.contains(alias.name) { return true }
    return uniqueIndexes.contains { !$0.columns.isEmpty && names.isSuperset(of: $0.columns) }
  }
}

extension String {
  /// Whether SQLite takes two names for the same: it compares ASCII letters without case, all else by bytes.
  func isSameName(as other: String) -> Bool {
    utf8.elementsEqual(other.utf8) { $0.asciiLowercased == $1.asciiLowercased }
  }
}

extension UInt8 {
  /// The small letter of a capital ASCII letter; other bytes as they are.
  fileprivate var asciiLowercased: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}

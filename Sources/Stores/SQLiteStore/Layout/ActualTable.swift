import ObjectModel
import SQLQueries

/// A table of a store, whose columns are looked up by the names that follow from a model.
///
/// A lookup ignores case if no name matches exactly; it returns the column's own spelling.
struct ActualTable {
  let name: String
  private let columns: [Catalog.Column]
  private let indexes: NameIndexes
  /// Whether the table has the key Z_PK, Z_ENT and Z_OPT: core-data-stores 4.2.
  let holdsObjects: Bool

  init(_ table: Catalog.Table) {
    name = table.name
    columns = table.columns
    indexes = NameIndexes(columns.map(\.name))
    holdsObjects =
      table.rowidAlias?.name == Self.keyColumn
      && Set(columns.map(\.name)).isSuperset(of: [Self.entityColumn, Self.versionColumn])
  }

  /// The names of the columns, in order.
  var columnNames: [String] { columns.map(\.name) }

  /// The column with a name, or else one whose name differs only in case.
  func column(_ name: String) -> Catalog.Column? {
    indexes[name].map { columns[$0] }
  }

  /// The columns whose names are a prefix and optional digits; the one without digits first.
  func columns(numbered prefix: String) -> [Catalog.Column] {
    var found = columns.filter { $0.name.isNumbered(prefix) }
    if let exact = column(prefix) {
      found.removeAll { $0.name == exact.name }
      found.insert(exact, at: 0)
    }
    return found
  }

  static let keyColumn = "Z_PK"
  static let entityColumn = "Z_ENT"
  static let versionColumn = "Z_OPT"
}

extension String {
  /// Whether this is a prefix followed only by digits.
  fileprivate func isNumbered(_ prefix: String) -> Bool {
    utf8.starts(with: prefix.utf8)
      && utf8.dropFirst(prefix.utf8.count).allSatisfy { (0x30...0x39).contains($0) }
  }
}

/// The tables of a store, looked up by the names that follow from a model.
struct ActualTables {
  /// The tables in the catalog's order, without views and virtual tables.
  let all: [ActualTable]
  private let indexes: NameIndexes

  init(_ catalog: Catalog) {
    all = catalog.tables.filter { $0.kind == .table }.map(ActualTable.init)
    indexes = NameIndexes(all.map(\.name))
  }

  /// The table with a name, or else one whose name differs only in case.
  subscript(name: String) -> ActualTable? { indexes[name].map { all[$0] } }
}

/// The indexes of names in a list; a name that is not in it is looked up without case.
private struct NameIndexes {
  private let exact: [String: Int]
  private let capitals: [String: Int]

  init(_ names: [String]) {
    exact = Dictionary(firstOf: zip(names, names.indices))
    capitals = Dictionary(firstOf: zip(names.map { $0.uppercased() }, names.indices))
  }

  subscript(name: String) -> Int? { exact[name] ?? capitals[name.uppercased()] }
}

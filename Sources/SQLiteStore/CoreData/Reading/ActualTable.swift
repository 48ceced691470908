import ObjectModel
import SQLQueries

/// A table of a store, whose columns are looked up by the names that follow from a model.
///
/// A lookup ignores case if no name matches exactly; it returns the column's own spelling.
struct ActualTable {
  let name: String
  private let columns: [Catalog.Column]
  private let placesByName: [String: Int]
  private let placesByCapitals: [String: Int]
  /// Whether the table has the key Z_PK, Z_ENT and Z_OPT: core-data-stores 4.2.
  let holdsObjects: Bool

  init(_ table: Catalog.Table) {
    name = table.name
    columns = table.columns
    let placesByName = Dictionary(
      zip(columns.map(\.name), columns.indices), uniquingKeysWith: { first, _ in first })
    self.placesByName = placesByName
    placesByCapitals = Dictionary(
      zip(columns.map { $0.name.uppercased() }, columns.indices),
      uniquingKeysWith: { first, _ in first })
    holdsObjects =
      table.rowidAlias?.name == Self.keyColumn
      && [Self.entityColumn, Self.versionColumn].allSatisfy { placesByName[$0] != nil }
  }

  /// The names of the columns, in order.
  var columnNames: [String] { columns.map(\.name) }

  /// The column with a name, or else one whose name differs only in case.
  func column(_ name: String) -> Catalog.Column? {
    (placesByName[name] ?? placesByCapitals[name.uppercased()]).map { columns[$0] }
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
  private let placesByName: [String: Int]
  private let placesByCapitals: [String: Int]

  init(_ catalog: Catalog) {
    all = catalog.tables.filter { $0.kind == .table }.map(ActualTable.init)
    placesByName = Dictionary(
      zip(all.map(\.name), all.indices), uniquingKeysWith: { first, _ in first })
    placesByCapitals = Dictionary(
      zip(all.map { $0.name.uppercased() }, all.indices), uniquingKeysWith: { first, _ in first })
  }

  /// The table with a name, or else one whose name differs only in case.
  subscript(name: String) -> ActualTable? {
    (placesByName[name] ?? placesByCapitals[name.uppercased()]).map { all[$0] }
  }
}

import ObjectModel

/// A table as it stands in a store, its columns found by the names that a model gives them.
///
/// What is handed out is always the column's own name, letter by letter.
struct ActualTable {
  let name: String
  private let columns: [Catalog.Column]
  private let placesByName: [String: Int]
  private let placesByCapitals: [String: Int]
  /// Whether rows are keyed as Core Data keys them: see core-data-stores 4.2.
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

  /// The column of a name; where none is spelled so, one that differs in case alone.
  func column(_ name: String) -> Catalog.Column? {
    (placesByName[name] ?? placesByCapitals[name.uppercased()]).map { columns[$0] }
  }

  /// The columns whose names are a beginning and, it may be, digits: the one without digits first.
  func columns(numbered beginning: String) -> [Catalog.Column] {
    var found = columns.filter { $0.name.isNumbered(beginning) }
    if let exact = column(beginning) {
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
  /// Whether this is a beginning and then nothing but digits.
  fileprivate func isNumbered(_ beginning: String) -> Bool {
    utf8.starts(with: beginning.utf8)
      && utf8.dropFirst(beginning.utf8.count).allSatisfy { (0x30...0x39).contains($0) }
  }
}

/// The tables of a store, found by the names that a model gives them.
struct ActualTables {
  /// The tables, in the catalog's order; no views or virtual ones.
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

  /// The table of a name; where none is spelled so, one that differs in case alone.
  subscript(name: String) -> ActualTable? {
    (placesByName[name] ?? placesByCapitals[name.uppercased()]).map { all[$0] }
  }
}

import ModelFiles
import ObjectModel
import SQLQueries

/// The tables, indexes and triggers that Core Data creates for a model: core-data-stores 4.
///
/// Tests compare them with those of real stores. Indexes on expressions other than `SELF` and
/// `entity` are left out.
struct CoreDataBlueprint {
  let model: ManagedObjectModel
  let naming: CoreDataNaming
  let keepsHistory: Bool
  /// The tables of entities and the join tables.
  private(set) var tables: [CoreDataTable] = []
  /// The columns of tables, by root entity.
  private(set) var columns: [String: [CoreDataNaming.Column]] = [:]
  /// The statements of indexes, R-tree tables and triggers.
  var additions: [String] = []
  /// The names of indexes in lower case: a model may list an index twice, which is made once.
  var indexNames: Set<String> = []

  /// Plans the tables of a valid model.
  ///
  /// - Throws: ``StoreError`` if a part of the model has no columns or triggers.
  init(
    _ model: ManagedObjectModel, keepsHistory: Bool, namers: Set<RelationshipName> = []
  ) throws(StoreError) {
    self.model = model
    self.keepsHistory = keepsHistory
    naming = CoreDataNaming(
      model: model, numbers: CoreDataNaming.numbers(of: model), namers: namers)
    for root in roots {
      columns[root.name] = naming.columns(of: root.name)
      tables.append(try table(of: root.name))
    }
    for join in naming.joins { addPairs(join) }
    if keepsHistory { tables += Self.historyTables(tombstoneCount: tombstoneCount) }
    try check()
    for root in roots { addIndexes(of: root.name) }
    for entity in entitiesByNumber {
      addIndexes(of: entity)
      addSpatialIndexes(of: entity)
      try addDerivations(of: entity)
    }
    if keepsHistory { additions += Self.historyIndexes }
  }

  /// All statements, in the order in which they must run.
  var statements: [String] {
    tables.map(\.statement) + additions + [
      "CREATE TABLE Z_PRIMARYKEY"
        + " (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)",
      "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
      "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)",
    ]
  }

  /// The entities in the order of their numbers.
  var entitiesByNumber: [EntityDescription] {
    model.entities.sorted { naming.number(of: $0.name) < naming.number(of: $1.name) }
  }

  private var roots: [EntityDescription] {
    entitiesByNumber.filter { $0.superentityName == nil }
  }

  /// The column of an entity's attribute or to-one, its own or inherited.
  func column(of property: String, in entityName: String) -> String? {
    let line = model.line(of: entityName)
    return columns[naming.root(of: entityName)]?.first {
      $0.property == property && ($0.role == .attribute || $0.role == .toOne)
        && line.contains($0.owner)
    }?.name
  }

  /// The table of a root entity, with its columns in Core Data's order.
  private func table(of root: String) throws(StoreError) -> CoreDataTable {
    let table = naming.tableName(of: root)
    var sorted: [(order: ColumnOrder, column: CoreDataTable.Column)] = []
    for column in columns[root] ?? [] {
      let owner = naming.number(of: column.owner)
      guard column.role == .attribute,
        let attribute = model.entity(named: column.owner)?.attribute(named: column.property)
      else {
        sorted.append(
          (
            ColumnOrder(group: 0, owner: owner, role: column.role, property: column.property),
            CoreDataTable.Column(name: column.name, declaredType: "INTEGER")
          ))
        continue
      }
      if attribute.type == .undefined {
        throw Self.refusal(
          "\(column.owner).\(attribute.name)", "attributes without a type have no column",
          "give it a type, or make it transient")
      }
      sorted.append(
        (
          ColumnOrder(
            group: attribute.coreDataColumnGroup, owner: owner, role: .attribute,
            property: attribute.name),
          CoreDataTable.Column(name: column.name, declaredType: attribute.coreDataColumnType)
        ))
    }
    return CoreDataTable(
      name: table,
      columns: CoreDataTable.objectColumns + sorted.sorted { $0.order < $1.order }.map(\.column))
  }

  private mutating func addPairs(_ join: CoreDataNaming.Join) {
    let name = join.first.tableName
    // A column is named by the relationship whose destinations it contains; the owners of the first
    // side come first.
    let owners = join.isReflexive ? join.first.column : join.second.column
    let others =
      join.isReflexive ? CoreDataNaming.Join.reflexiveColumn : join.first.column
    var names = [owners, others]
    names += [join.isReflexive ? nil : join.second.orderColumn, join.first.orderColumn]
      .compactMap(\.self)
    tables.append(
      CoreDataTable(
        name: name,
        columns: names.map { CoreDataTable.Column(name: $0, declaredType: "INTEGER") },
        constraint:
          "PRIMARY KEY (\(CoreDataTable.identifier(owners)), \(CoreDataTable.identifier(others)))"))
    addIndex("\(name)_\(others)_INDEX", on: name, [others, owners].map(CoreDataTable.identifier))
  }

  /// Refuses names that are equal for SQLite.
  private func check() throws(StoreError) {
    var seen: Set<String> = ["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"]
    for table in tables {
      guard seen.insert(table.name.uppercased()).inserted else {
        throw Self.refusal(
          table.name, "two tables would have this name", "rename an entity or a relationship")
      }
      var names: Set<String> = []
      for column in table.columns where !names.insert(column.name.uppercased()).inserted {
        throw Self.refusal(
          "\(table.name).\(column.name)", "two columns would have this name", "rename a property")
      }
    }
  }

  /// The error for a part of a model that has no tables, columns or triggers.
  static func refusal(_ subject: String, _ why: String, _ remedy: String) -> StoreError {
    StoreError(
      .unsupported, doing: "creating a store", subject: subject, detail: why, remedy: remedy)
  }

  /// Adds an index on columns, each given as SQL.
  mutating func addIndex(
    _ name: String, on table: String, _ columns: [String], isUnique: Bool = false,
    where condition: String? = nil
  ) {
    guard indexNames.insert(name.lowercased()).inserted else { return }
    additions.append(
      "CREATE \(isUnique ? "UNIQUE " : "")INDEX \(CoreDataTable.identifier(name)) ON "
        + "\(CoreDataTable.identifier(table)) (\(columns.joined(separator: ", ")))"
        + (condition.map { " WHERE \($0)" } ?? ""))
  }

  /// The sort key of a column in a new table.
  private struct ColumnOrder: Comparable {
    let group: Int
    let owner: Int64
    let role: CoreDataNaming.Role
    let property: String

    /// Attributes first, then to-ones with the numbers of their entities, then order keys; hidden
    /// columns after all entities.
    private var key: (Int, Int64, Int) {
      switch role {
      case .hidden: (group, .max, 0)
      case .attribute: (group, owner, 0)
      case .toOne, .entity: (group, owner, 1)
      case .order: (group, owner, 2)
      }
    }

    private var part: Int {
      switch role {
      case .attribute, .toOne, .hidden: 0
      case .entity: 1
      case .order: 2
      }
    }

    static func < (left: Self, right: Self) -> Bool {
      if left.key != right.key { return left.key < right.key }
      let order = left.property.compareBytes(with: right.property)
      return order == 0 ? left.part < right.part : order < 0
    }
  }
}

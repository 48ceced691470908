import Foundation
import GRDBSQLite
import ModelFiles
import ObjectModel
import SQLQueries

/// Carries out a migration in the transaction of a connection.
///
/// Tables that change get another name, the new ones are created and filled from them, and they are
/// dropped. Foreign keys must not be enforced, and a renaming must not change other tables
/// (`legacy_alter_table`).
struct MigrationWriter {
  let migration: StoreMigration
  let reader: StoreReader
  let connection: Connection
  let actions: TableActions
  private var mapping: MigrationMapping
  let statements: SaveStatements
  /// What the schema has, before anything changes.
  private let schema: [MigrationTarget.Item]
  /// The names that the schema of the store's model has.
  private let ownNames: Set<String>
  /// Writes external data that a mapping changes.
  let externalFiles: ExternalFiles?
  /// The last keys of plain tables.
  var lastKeys: [String: Int64] = [:]
  private var completed = 0

  /// Reads what there is.
  ///
  /// - Throws: ``StoreError``.
  init(
    _ migration: StoreMigration, _ mapping: MigrationMapping, reader: StoreReader,
    on connection: Connection
  ) throws(StoreError) {
    (self.migration, self.mapping, self.reader) = (migration, mapping, reader)
    self.connection = connection
    statements = SaveStatements(connection, doing: StoreMigration.doing)
    externalFiles = reader.externalFolder.map { ExternalFiles(folder: $0) }
    actions = try TableActions(mapping, keepsAny: migration.mapping == nil, statements)
    do {
      schema = try MigrationTarget.items(in: connection.database)
    } catch {
      throw StoreError(error, doing: StoreMigration.doing, subject: "")
    }
    let own = try? MigrationTarget(reader.layout.model, from: reader.layout)
    ownNames = Set((own?.items ?? []).map(\.name))
    for (index, name) in actions.replaced.enumerated() where migration.mapping == nil {
      self.mapping.asides[name] = "cardfile_migrating_\(index)"
    }
  }

  var source: StoreLayout { mapping.source }
  var target: MigrationTarget { mapping.target }
  var isCoreData: Bool { source.coreData != nil }

  /// Migrates.
  ///
  /// - Returns: The names of external files to which no value refers any more.
  /// - Throws: ``StoreError``.
  mutating func run() throws(StoreError) -> Set<String> {
    let files = isCoreData ? try externalFiles(of: reader) : []
    if !isCoreData { lastKeys = try readLastKeys() }
    let made = try migration.mapping.map { model throws(StoreError) in try make(model) }
    try dropTriggersAndSpatialIndexes()
    if made == nil {
      try replaceTables()
      for table in actions.kept { try renumber(table) }
    }
    for name in actions.replaced { try execute("DROP TABLE \(name: mapping.current(name))") }
    if made != nil { try createTables() }
    try makeIndexes()
    if let coreData = source.coreData {
      try writeNumbers()
      try CoreDataMigration(migration, mapping, statements).run(coreData)
    } else {
      try writeLastKeys()
      try writeStoredModel()
    }
    let layout = try newLayout()
    let reader = StoreReader(
      layout: layout, storeIdentifier: reader.storeIdentifier,
      externalFolder: self.reader.externalFolder)
    if let made { try insert(made, reader) }
    for item in target.items where item.isSpatialIndex { try create(item); try fill(item) }
    try MigratedDerivations(migration, reader, statements).compute()
    try makeTriggers()
    return isCoreData ? files.subtracting(try externalFiles(of: reader)) : []
  }

  // MARK: Tables

  private mutating func replaceTables() throws(StoreError) {
    for name in actions.replaced {
      try execute("ALTER TABLE \(name: name) RENAME TO \(name: mapping.current(name))")
    }
    for name in (actions.rewritten.map(\.name) + actions.rewrittenJoins.map(\.name)) {
      if let item = target.item(name) { try create(item) }
    }
    // What is made of the rows is made anew: the tables to read have other names now.
    let (tables, joins) = (mapping.tables, mapping.joins)
    for table in tables where actions.rewritten.contains(where: { $0.name == table.name }) {
      guard let old = table.source else { continue }
      try write(
        """
        INSERT INTO \(name: table.name) (\(names: table.columns.map(\.name))) \
        SELECT \(table.columns.map(\.value)) FROM \(name: mapping.current(old)) s\
        \(where: [table.condition])
        """)
    }
    for join in joins where actions.rewrittenJoins.contains(where: { $0.name == join.name }) {
      for insertion in join.insertions { try write(insertion) }
    }
  }

  /// Writes the new numbers of entities into a table that stays.
  private mutating func renumber(_ table: MigrationMapping.Table) throws(StoreError) {
    let columns = table.renumbering
    guard !columns.isEmpty else { return }
    let assignments = columns.map { "\(name: $0.name) = \($0.value)" as SQL }
    try write("UPDATE \(name: table.name) AS s SET \(assignments)")
  }

  private mutating func write(_ sql: SQL) throws(StoreError) {
    let statement = try statements.prepare(sql)
    try FetchControl.check(
      doing: StoreMigration.doing, completed: completed, total: actions.rowCount)
    _ = try statement.step()
    completed += statements.changedRowCount
    try FetchControl.check(
      doing: StoreMigration.doing, completed: min(completed, actions.rowCount),
      total: actions.rowCount)
  }

  // MARK: Indexes and triggers

  /// Triggers must not see how the rows are moved, and the tables of R-trees are in the way.
  private func dropTriggersAndSpatialIndexes() throws(StoreError) {
    let tables = Set(actions.sourceColumns.keys)
    for item in schema where item.kind == .trigger && tables.contains(item.table) {
      try execute("DROP TRIGGER \(name: item.name)")
    }
    for item in schema where item.isSpatialIndex { try execute("DROP TABLE \(name: item.name)") }
  }

  private func makeIndexes() throws(StoreError) {
    let wanted = target.items.filter { $0.kind == .index }
    for item in schema where item.kind == .index && !actions.isRewritten(item.table) {
      let isStale = ownNames.contains(item.name) && !wanted.contains(item)
      if isStale { try execute("DROP INDEX IF EXISTS \(name: item.name)") }
    }
    for item in wanted where try !exists(item.name) { try create(item) }
    for item in schema where item.kind == .index && !ownNames.contains(item.name) {
      try createIfPossible(item)
    }
  }

  private func makeTriggers() throws(StoreError) {
    for item in target.items where item.kind == .trigger { try create(item) }
    let tables = Set(actions.sourceColumns.keys)
    for item in schema
    where item.kind == .trigger && tables.contains(item.table) && !ownNames.contains(item.name)
      && !(isCoreData && (item.name.hasPrefix("Z_DA_") || item.name.hasPrefix("Z_RT_")))
    { try createIfPossible(item) }
  }

  /// Copies the coordinates of all rows to an R-tree, as its triggers do.
  private func fill(_ index: MigrationTarget.Item) throws(StoreError) {
    guard let trigger = target.item("\(index.name)_INSERT"),
      let columns = target.columns[index.name]
    else { return }
    let values = columns.map { column -> SQL in
      let name = column.name
      return .column(
        name.hasSuffix("_MIN") || name.hasSuffix("_MAX") ? String(name.dropLast(4)) : name, of: "s")
    }
    try execute(
      """
      INSERT INTO \(name: index.name) (\(names: columns.map(\.name))) \
      SELECT \(values) FROM \(name: trigger.table) s
      """)
  }

  /// Makes an index or a trigger of a program again, unless its columns are gone.
  private func createIfPossible(_ item: MigrationTarget.Item) throws(StoreError) {
    guard try !exists(item.name), try exists(item.table) else { return }
    try execute("SAVEPOINT cardfile_own")
    do { try create(item) } catch  where error.reason == .other {
      try execute("ROLLBACK TO cardfile_own")
    }
    try execute("RELEASE cardfile_own")
  }

  func exists(_ name: String) throws(StoreError) -> Bool {
    try statements.row("SELECT 1 FROM main.sqlite_schema m WHERE m.name = \(Value.string(name))")
      != nil
  }

  func create(_ item: MigrationTarget.Item) throws(StoreError) {
    let code = sqlite3_exec(connection.handle, item.statement, nil, nil, nil)
    guard code == SQLITE_OK else {
      throw StoreError(
        sqlite: code, connection: connection.handle, doing: StoreMigration.doing,
        subject: item.name, sql: item.statement)
    }
  }

  func execute(_ sql: SQL) throws(StoreError) { try statements.run(sql) }

  // MARK: The store as a whole

  /// Writes Z_PRIMARYKEY; last keys stay those of the tables.
  private func writeNumbers() throws(StoreError) {
    let rows = try statements.rows("SELECT p.Z_ENT, p.Z_MAX FROM Z_PRIMARYKEY p")
    let lastKeys = Dictionary(firstOf: rows.map { ($0[0], $0[1]) })
    let history = HistoryTable.allCases.map { Value.integer($0.entityNumber) }
    try execute("DELETE FROM Z_PRIMARYKEY WHERE Z_ENT NOT IN (\(history))")
    for entry in target.numbers {
      var last: Int64 = 0
      if entry.superNumber == 0, let table = mapping.destination.tables[entry.name]?.name,
        let old = mapping.tables.first(where: { $0.name == table })?.source,
        let entity = source.entities(in: old).first, let coreData = source.coreData,
        let root = coreData.rootNames[entity.name], let number = coreData.entityNumbers[root]
      {
        let greatest = try statements.row("SELECT max(s.Z_PK) FROM \(name: table) s")?.first
        for case .integer(let key)? in [lastKeys[.integer(number)], greatest] {
          last = max(last, key)
        }
      }
      try execute(
        """
        INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) \
        VALUES (\(entry.number), \(Value.string(entry.name)), \(entry.superNumber), \(last))
        """)
    }
  }

  private func readLastKeys() throws(StoreError) -> [String: Int64] {
    guard try exists("sqlite_sequence") else { return [:] }
    let rows = try statements.rows("SELECT q.name, q.seq FROM sqlite_sequence q")
    return Dictionary(
      firstOf: rows.compactMap { row in
        guard let name = row[0].text, case .integer(let last) = row[1] else { return nil }
        return (name, last)
      })
  }

  /// Keys of deleted objects stay used.
  private func writeLastKeys() throws(StoreError) {
    for table in mapping.tables {
      guard let old = table.source, let last = lastKeys[old] else { continue }
      try execute("DELETE FROM sqlite_sequence WHERE name = \(Value.string(table.name))")
      try execute(
        "INSERT INTO sqlite_sequence (name, seq) VALUES (\(Value.string(table.name)), \(last))")
    }
  }

  private func writeStoredModel() throws(StoreError) {
    let json: Data
    do { json = try migration.model.json() } catch {
      throw StoreError(
        .unsupported, doing: StoreMigration.doing, subject: "", detail: "\(error)")
    }
    try execute(
      "UPDATE \(name: StoredModel.tableName) SET model = \(Value.string(String(decoding: json, as: UTF8.self)))"
    )
  }

  /// The layout of the migrated store as opening reads it.
  ///
  /// - Throws: ``StoreError`` if it has not the model that it should have.
  private func newLayout() throws(StoreError) -> StoreLayout {
    let contents: StoreContents
    do { contents = try StoreContents(reading: connection.database) } catch {
      throw StoreError(error, doing: StoreMigration.doing, subject: "")
    }
    let differences = contents.layout.model.differences(from: mapping.destination.model)
    guard differences.isEmpty else {
      throw StoreError(
        .other, doing: StoreMigration.doing,
        detail:
          "the result would not have the model: \(differences.prefix(5).joined(separator: ", "))")
    }
    return contents.layout
  }

  /// The names of all external files to which values refer.
  private func externalFiles(of reader: StoreReader) throws(StoreError) -> Set<String> {
    var columns: Set<[String]> = []
    for (name, table) in reader.layout.tables {
      for (attribute, column) in zip(
        reader.layout.model.entity(named: name)?.attributes ?? [], table.columns)
      where attribute.encoding == .externalData { columns.insert([table.name, column]) }
    }
    var names: Set<String> = []
    for column in columns {
      let value = SQL.column(column[1], of: "s")
      let rows = try statements.rows(
        "SELECT \(value) FROM \(name: column[0]) s WHERE length(\(value)) = 38")
      names.formUnion(rows.compactMap { $0.first?.externalFileName })
    }
    return names
  }
}

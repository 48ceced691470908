import GRDBSQLite
package import ObjectModel
import SQLQueries

/// Checks a store for damage and inconsistencies, by queries over whole tables.
struct StoreChecker {
  /// The rows that a query has found: their number, and the keys of the first ones.
  struct Offenders {
    private(set) var count = 0
    private(set) var keys: [String] = []

    mutating func add(_ key: @autoclosure () -> String) {
      count += 1
      if keys.count < CheckFinding.keyLimit { keys.append(key()) }
    }
  }

  let layout: StoreLayout
  /// The path of the store's file.
  let path: String
  let connection: Connection
  private(set) var findings: [CheckFinding] = []
  /// The names of external files to which values refer.
  var usedFiles: Set<String> = []

  init(layout: StoreLayout, path: String, connection: Connection) {
    self.layout = layout
    self.path = path
    self.connection = connection
  }

  /// Runs all checks.
  ///
  /// - Throws: ``StoreError`` if the store cannot be read.
  mutating func run() throws(StoreError) {
    checkLog()
    guard try checkDatabase() else { return }
    checkUnreadable()
    let catalog = try readCatalog()
    try checkForeignKeys(catalog)
    try checkConstraints()
    for entity in layout.model.entities { try checkRequiredValues(of: entity) }
    guard let schema = layout.coreData else { return }
    try checkModel()
    checkTables(schema)
    try checkIndexes(catalog)
    try checkEntityNumbers(schema)
    try checkRows(schema)
    for entity in layout.model.entities {
      for relationship in layout.model.ownRelationships(of: entity) {
        try check(relationship, of: entity)
      }
      try checkUniqueness(of: entity)
      try checkFiles(of: entity)
      try checkTypes(of: entity)
      try checkRules(of: entity)
      try checkDerivations(of: entity)
    }
    checkUnusedFiles()
    try checkSpatialIndexes()
    try checkHistory(schema)
  }

  /// Adds a finding.
  mutating func report(
    _ severity: CheckFinding.Severity, _ kind: CheckFinding.Kind, table: String = "",
    keys: [String] = [], count: Int = 1, _ message: String, remedy: String = ""
  ) {
    findings.append(
      CheckFinding(
        severity: severity, kind: kind, message: message, table: table, keys: keys, count: count,
        remedy: remedy))
  }

  /// Adds a finding about rows, if there are any.
  ///
  /// The message continues "3 rows of ZPAGE ".
  mutating func report(
    _ severity: CheckFinding.Severity, _ kind: CheckFinding.Kind, table: String,
    _ offenders: Offenders?, _ message: String, remedy: String = ""
  ) {
    guard let offenders, offenders.count > 0 else { return }
    let rows = offenders.count == 1 ? "1 row" : "\(Value.grouped(offenders.count)) rows"
    report(
      severity, kind, table: table, keys: offenders.keys, count: offenders.count,
      "\(rows) of \(table) \(message)", remedy: remedy)
  }

  /// Runs a query whose first column is a number for the fault, and whose others are the row's key.
  func offenders(_ sql: SQL, keyCount: Int32 = 1) throws(StoreError) -> [Int64: Offenders] {
    let statement = try prepare(sql)
    var found: [Int64: Offenders] = [:]
    while try statement.step() {
      found[statement.integer(0), default: Offenders()].add(
        (1...max(keyCount, 1)).map { column in
          let value = statement.value(column)
          return value.isNull ? "NULL" : value.description
        }.joined(separator: "/"))
    }
    return found
  }

  /// Reports the rows that a query finds, given by their key columns and what follows FROM.
  mutating func report(
    _ severity: CheckFinding.Severity, _ kind: CheckFinding.Kind, table: String, rows key: [SQL],
    from rest: SQL, _ message: String, remedy: String = ""
  ) throws(StoreError) {
    let found = try offenders(
      "SELECT 0, \(key) FROM \(rest)", keyCount: Int32(clamping: key.count))
    report(severity, kind, table: table, found[0], message, remedy: remedy)
  }

  /// Prepares a query.
  func prepare(_ sql: SQL) throws(StoreError) -> Statement {
    try Statement(sql, on: connection, doing: "checking", subject: path)
  }

  /// The names of the triggers.
  func triggerNames() throws(StoreError) -> Set<String> {
    Set(try texts("SELECT m.name FROM sqlite_master m WHERE m.type = 'trigger'"))
  }

  /// The texts in the first column of a query's rows.
  func texts(_ sql: SQL) throws(StoreError) -> [String] {
    try rows(sql).map { $0[0].text ?? "" }
  }

  /// The values of all rows of a query.
  func rows(_ sql: SQL) throws(StoreError) -> [[Value]] {
    try connection.rows(sql, doing: "checking", subject: path)
  }

  /// The first value of a query's first row; null if there is no row.
  func value(_ sql: SQL) throws(StoreError) -> Value {
    let statement = try prepare(sql)
    return try statement.step() ? statement.value(0) : .null
  }
}

extension StoreChecker {
  /// The attributes that an entity declares, without inherited ones, and their columns.
  func ownAttributes(of entity: EntityDescription) -> [(AttributeDescription, column: String)] {
    guard let table = layout.tables[entity.name] else { return [] }
    return layout.model.ownAttributes(of: entity).compactMap { attribute in
      entity.attributeIndex(attribute.name).map { (attribute, table.columns[$0]) }
    }
  }

  /// The columns of a uniqueness constraint of an entity; nil if one of its properties has none.
  func columns(of constraint: [String], in entity: EntityDescription) -> [String]? {
    guard let table = layout.tables[entity.name] else { return nil }
    let columns = constraint.compactMap { name in
      entity.attributeIndex(name).map { table.columns[$0] } ?? table.toOne[name]?.columns.first
    }
    return columns.isEmpty || columns.count != constraint.count ? nil : columns
  }

  /// The condition that a row is of an entity or a subentity; nil if all rows of the table are.
  func isMember(of entityName: String, alias: SQL.Alias) -> SQL? {
    guard let table = layout.tables[entityName], let column = table.entityColumn,
      layout.model.entity(named: entityName)?.superentityName != nil
    else { return nil }
    let values = layout.model.entityNames(inheritingFrom: entityName).compactMap {
      column.values[$0]
    }
    return "\(column: column.name, of: alias) IN (\(values))"
  }

  /// The columns of a table's key.
  func keyColumns(of table: EntityTable, alias: SQL.Alias) -> [SQL] {
    switch table.key {
    case .rowid(let name): [.column(name, of: alias)]
    case .columns(let names): names.map { .column($0, of: alias) }
    case .none: ["''"]
    }
  }
}

extension SQLiteStore {
  /// Checks the store for damage and inconsistencies, without changing it.
  ///
  /// SQLite's integrity check comes first; if it finds damage, the check ends. Foreign keys and
  /// required values follow, and for a Core Data store relationships, join tables, order keys,
  /// keys, uniqueness constraints, external data and persistent history. Whole tables are read:
  /// this takes seconds for a million rows.
  ///
  /// - Returns: The findings, errors first.
  /// - Throws: `StoreError` if the store cannot be read.
  package func check() throws(StoreError) -> [CheckFinding] {
    let findings = try read(doing: "checking") { connection throws(StoreError) in
      var checker = StoreChecker(layout: layout, path: guardian.path, connection: connection)
      try checker.run()
      return checker.findings
    }
    return CheckFinding.Severity.allCases.flatMap { severity in
      findings.filter { $0.severity == severity }
    }
  }
}

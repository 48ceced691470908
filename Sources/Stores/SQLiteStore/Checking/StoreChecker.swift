import GRDBSQLite
import ObjectModel
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
    guard try checkDatabase() else { return }
    checkUnreadable()
    try checkForeignKeys()
    try checkConstraints()
    for entity in layout.model.entities { try checkRequiredValues(of: entity) }
    guard let schema = layout.coreData else { return }
    try checkModel()
    checkTables(schema)
    try checkIndexes()
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
    let statement = try prepare("SELECT m.name FROM sqlite_master m WHERE m.type = 'trigger'")
    var names: Set<String> = []
    while try statement.step() { names.insert(statement.value(0).text ?? "") }
    return names
  }

  /// The first value of a query's first row; null if there is no row.
  func value(_ sql: SQL) throws(StoreError) -> Value {
    let statement = try prepare(sql)
    return try statement.step() ? statement.value(0) : .null
  }
}

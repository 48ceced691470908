import ObjectModel
import SQLQueries

extension StoreChecker {
  /// The maximum number of different bitmaps to check.
  private static let bitmapLimit = 200_000

  /// Checks persistent history: core-data-stores 6.
  mutating func checkHistory(_ schema: CoreDataSchema) throws(StoreError) {
    guard let tables = schema.history else { return }
    for table in HistoryTable.allCases where tables.hasStrings || table != .string {
      try checkKeyCount(
        of: table.name, entityNumber: table.entityNumber, entityName: table.entityName)
    }
    try report(
      .note, .emptyTransaction, table: "ATRANSACTION", rows: ["t.Z_PK"],
      from: """
        ATRANSACTION t WHERE NOT EXISTS \
        (SELECT 1 FROM ACHANGE c WHERE c.ZTRANSACTIONID = t.Z_PK)
        """,
      "have no changes")
    let numbers = schema.entityNumbers.values.sorted().map(Value.integer)
    let faults: [(CheckFinding.Severity, CheckFinding.Kind, condition: SQL, message: String)] = [
      (
        .error, .changeWithoutTransaction,
        """
        c.ZTRANSACTIONID IS NULL OR NOT EXISTS \
        (SELECT 1 FROM ATRANSACTION t WHERE t.Z_PK = c.ZTRANSACTIONID)
        """, "belong to no transaction: apps that follow persistent history do not see them"
      ),
      (
        .error, .changedColumns, "(c.ZCHANGETYPE IS 1) <> (c.ZCOLUMNS IS NOT NULL)",
        "have changed properties without being an update, or are an update without any"
      ),
      (
        .error, .unknownInHistory, "c.ZCHANGETYPE IS NULL OR c.ZCHANGETYPE NOT IN (0, 1, 2)",
        "are of an unknown kind"
      ),
      (
        .note, .unknownInHistory, "c.ZENTITY IS NULL OR c.ZENTITY NOT IN (\(numbers))",
        "are of an entity that is not in the model"
      ),
    ]
    for (severity, kind, condition, message) in faults {
      try report(
        severity, kind, table: "ACHANGE", rows: ["c.Z_PK"],
        from: "ACHANGE c WHERE \(condition)", message)
    }
    for root in layout.model.entities where root.superentityName == nil {
      guard let number = schema.entityNumbers[root.name] else { continue }
      let family = layout.model.entityNames(inheritingFrom: root.name)
      let members = family.compactMap { schema.entityNumbers[$0] }.map(Value.integer)
      try report(
        .error, .unknownObject, table: "ACHANGE", rows: ["c.Z_PK"],
        from: """
          ACHANGE c WHERE c.ZENTITY IN (\(members)) AND (c.ZENTITYPK IS NULL \
          OR c.ZENTITYPK < 1 OR c.ZENTITYPK > \
          (SELECT k.Z_MAX FROM Z_PRIMARYKEY k WHERE k.Z_ENT = \(number)))
          """,
        "are of an object of \(root.name) that never was", remedy: "delete these rows")
    }
    if tables.hasStrings { try checkHistoryStrings() }
    try checkBitmaps(schema)
  }

  private mutating func checkHistoryStrings() throws(StoreError) {
    let columns = ["ZAUTHORTS", "ZBUNDLEIDTS", "ZCONTEXTNAMETS", "ZPROCESSIDTS"]
    let lost = columns.map { name -> SQL in
      let column = SQL.column(name, of: "t")
      return "\(column) IS NOT NULL AND \(column) NOT IN (SELECT s.Z_PK FROM ATRANSACTIONSTRING s)"
    }
    try report(
      .error, .unknownInHistory, table: "ATRANSACTION", rows: ["t.Z_PK"],
      from: "ATRANSACTION t WHERE \(lost.joined(" OR "))",
      "refer to an author, bundle, process or context that is not in ATRANSACTIONSTRING")
  }

  /// Finds bits without a property; each different bitmap is checked once.
  private mutating func checkBitmaps(_ schema: CoreDataSchema) throws(StoreError) {
    let names = schema.entityNames
    let statement = try prepare(
      """
      SELECT c.ZENTITY, c.ZCOLUMNS, min(c.Z_PK), count(*) FROM ACHANGE c \
      WHERE c.ZCOLUMNS IS NOT NULL GROUP BY 1, 2 LIMIT \(number: Self.bitmapLimit)
      """)
    var slots: [Int64: HistorySlots] = [:]
    var count = 0
    var keys: [String] = []
    while try statement.step() {
      guard let name = names[statement.integer(0)], case .data(let bitmap) = statement.value(1)
      else { continue }
      let known =
        slots[statement.integer(0)] ?? HistorySlots(entityName: name, layout: layout)
      slots[statement.integer(0)] = known
      guard known.changes(in: bitmap).unknownCount > 0 else { continue }
      count += Int(clamping: statement.integer(3))
      if keys.count < CheckFinding.keyLimit { keys.append("\(statement.integer(2))") }
    }
    guard count > 0 else { return }
    report(
      .error, .unknownInHistory, table: "ACHANGE", keys: keys, count: count,
      "\(count == 1 ? "1 row of ACHANGE has" : "\(count) rows of ACHANGE have") changed properties that are "
        + "not in the model")
  }
}

import ObjectModel
import SQLQueries

extension StoreChecker {
  /// Compares Z_PRIMARYKEY with the model: core-data-stores 4.1.
  mutating func checkEntityNumbers(_ schema: CoreDataSchema) throws(StoreError) {
    let statement = try prepare("SELECT k.Z_ENT, k.Z_SUPER FROM Z_PRIMARYKEY k")
    var parents: [Int64: Value] = [:]
    while try statement.step() { parents[statement.integer(0)] = statement.value(1) }
    for entity in layout.model.entities {
      guard let number = schema.entityNumbers[entity.name], let stored = parents[number] else {
        report(
          .error, .entityNumbers, table: "Z_PRIMARYKEY",
          "the entity \(entity.name) of the model is not in Z_PRIMARYKEY")
        continue
      }
      let expected = entity.superentityName.flatMap { schema.entityNumbers[$0] } ?? 0
      guard stored != .integer(expected) else { continue }
      report(
        .error, .entityNumbers, table: "Z_PRIMARYKEY", keys: ["\(number)"],
        "\(entity.name) inherits from entity \(stored) in the store, from \(expected) in the model"
      )
    }
  }

  /// Checks Z_ENT, Z_OPT and Z_PK of all rows: core-data-stores 4.7.
  mutating func checkRows(_ schema: CoreDataSchema) throws(StoreError) {
    for root in layout.model.entities where root.superentityName == nil {
      guard let table = layout.tables[root.name], let number = schema.entityNumbers[root.name]
      else { continue }
      let family = layout.model.entityNames(inheritingFrom: root.name)
      let numbers = family.compactMap { schema.entityNumbers[$0] }.map(Value.integer)
      let isForeign: SQL = "t.Z_ENT IS NULL OR t.Z_ENT NOT IN (\(numbers))"
      let found = try offenders(
        """
        SELECT CASE WHEN \(isForeign) THEN 1 ELSE 2 END, t.Z_PK FROM \(name: table.name) t \
        WHERE \(isForeign) OR t.Z_OPT IS NULL OR t.Z_OPT < 1
        """)
      report(
        .error, .foreignEntity, table: table.name, found[1],
        "are of an entity that does not belong to this table",
        remedy: "set Z_ENT to the number of \(root.name) or of an entity that inherits from it")
      report(
        .error, .versionCounter, table: table.name, found[2],
        "have no update counter: other programs do not see their changes",
        remedy: "set Z_OPT to 1")
      try checkKeyCount(of: table.name, entityNumber: number, entityName: root.name)
    }
  }

  /// Compares the last allocated key (Z_MAX) with the greatest key.
  mutating func checkKeyCount(of table: String, entityNumber: Int64, entityName: String)
    throws(StoreError)
  {
    let last = try value("SELECT max(t.Z_PK) FROM \(name: table) t")
    let counted = try value(
      "SELECT max(k.Z_MAX) FROM Z_PRIMARYKEY k WHERE k.Z_ENT = \(entityNumber)")
    guard case .integer(let key) = last else { return }
    if case .integer(let most) = counted, most >= key { return }
    report(
      .error, .keyCount, table: table, keys: ["\(key)"],
      "\(table) has the key \(key), but the last allocated key is \(counted)",
      remedy: "UPDATE Z_PRIMARYKEY SET Z_MAX = \(key) WHERE Z_ENT = \(entityNumber);"
        + " (\(entityName)); or restore the -wal file that belongs to the store")
  }
}

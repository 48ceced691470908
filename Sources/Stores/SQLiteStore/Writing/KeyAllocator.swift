import ObjectModel
import SQLQueries

/// Allocates the keys (Z_PK) of new rows by Z_PRIMARYKEY: core-data-stores 4.7.
///
/// Z_MAX never goes down, so no key is used twice.
final class KeyAllocator {
  /// A table whose keys Z_PRIMARYKEY counts.
  struct Table: Hashable {
    /// Z_ENT of its counter: of the root entity.
    let number: Int64
    /// Z_NAME of its counter.
    let entityName: String
    let name: String
  }

  private let statements: SaveStatements
  private var lastKeys: [Table: Int64] = [:]

  init(_ statements: SaveStatements) { self.statements = statements }

  /// Allocates one or more successive keys and returns the first.
  ///
  /// - Throws: ``StoreError``, also if no keys are left.
  func allocate(_ count: Int = 1, in table: Table) throws(StoreError) -> Int64 {
    let last = if let known = lastKeys[table] { known } else { try storedLastKey(table) }
    let (next, overflow) = last.addingReportingOverflow(Int64(count))
    guard !overflow else {
      throw StoreError(
        .unsupported, doing: "saving", subject: table.entityName, detail: "its keys are used up")
    }
    lastKeys[table] = next
    return last + 1
  }

  /// Notes that a row has a key that was not allocated here, as one that comes from another store.
  func note(_ key: Int64, in table: Table) throws(StoreError) {
    let last = if let known = lastKeys[table] { known } else { try storedLastKey(table) }
    if key > last { lastKeys[table] = key }
  }

  /// Writes the last keys to Z_PRIMARYKEY.
  func save() throws(StoreError) {
    for (table, key) in lastKeys.sorted(by: { $0.key.number < $1.key.number }) {
      let (last, number) = (Value.integer(key), Value.integer(table.number))
      try statements.write("UPDATE Z_PRIMARYKEY SET Z_MAX = \(last) WHERE Z_ENT = \(number)")
      guard statements.changedRowCount == 0 else { continue }
      let values: [Value] = [number, .string(table.entityName), 0, last]
      try statements.write(
        "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (\(values))")
    }
  }

  /// The last key that a table's rows ever had: the counter may be missing or too low.
  private func storedLastKey(_ table: Table) throws(StoreError) -> Int64 {
    let counter: SQL = """
      SELECT max(p.Z_MAX) FROM Z_PRIMARYKEY AS p WHERE p.Z_ENT = \(table.number)
      """
    let row = try statements.row(
      "SELECT (\(counter)), (SELECT max(t.Z_PK) FROM \(name: table.name) AS t)")
    return (row ?? []).reduce(0) { last, value in
      if case .integer(let key) = value { max(last, key) } else { last }
    }
  }
}

import ObjectModel

/// A table of the history, whose keys are counted in Z_PRIMARYKEY as those of objects are.
enum HistoryTable: Int64, CaseIterable {
  case change = 16001
  case transaction = 16002
  case string = 16003

  /// Its number in Z_PRIMARYKEY, which is the Z_ENT of its rows too.
  var entityNumber: Int64 { rawValue }

  /// Its name in Z_PRIMARYKEY.
  var entityName: String {
    switch self {
    case .change: "CHANGE"
    case .transaction: "TRANSACTION"
    case .string: "TRANSACTIONSTRING"
    }
  }

  /// Its name.
  var name: String { "A" + entityName }

  /// Takes keys for new rows, which nobody else gets.
  ///
  /// - Parameters:
  ///   - count: How many, at least one.
  ///   - statements: The statements of a transaction that writes.
  /// - Returns: The first of them; the others follow it.
  /// - Throws: ``StoreError``, also when there are no keys left.
  func takeKeys(_ count: Int, with statements: StatementRunner) throws(StoreError) -> Int64 {
    let search: SQL = """
      SELECT (SELECT max(Z_MAX) FROM Z_PRIMARYKEY WHERE Z_ENT = \(entityNumber)), \
      (SELECT max(Z_PK) FROM \(name: name))
      """
    let row = try statements.row(search, columns: 2, subject: name) ?? []
    let ends = row.compactMap { if case .integer(let key) = $0 { key } else { nil } }
    let (last, overflow) = max(ends.max() ?? 0, 0).addingReportingOverflow(Int64(count))
    guard !overflow else {
      throw StoreError(
        .unsupported, doing: "writing the history", subject: name, detail: "no keys are left")
    }
    try statements.run(
      """
      INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) \
      VALUES (\(entityNumber), \(Value.string(entityName)), 0, \(last)) \
      ON CONFLICT (Z_ENT) DO UPDATE SET Z_MAX = excluded.Z_MAX
      """,
      subject: "Z_PRIMARYKEY")
    return last - Int64(count) + 1
  }

  /// The statement that puts in a row.
  func insertion(_ columns: [String], _ values: [Value]) -> SQL {
    "INSERT INTO \(name: name) (\(names: columns)) VALUES (\(values))"
  }
}

import ObjectModel
import SQLQueries

/// Runs the statements of one piece of work, whose rows are few.
struct StatementRunner {
  let connection: Connection
  /// The operation, for errors.
  private let doing: String

  init(_ connection: Connection, doing: String) {
    self.connection = connection
    self.doing = doing
  }

  /// Runs a statement that returns no rows, or whose rows are not wanted.
  func run(_ sql: SQL) throws(StoreError) {
    let statement = try Statement(sql, on: connection, doing: doing)
    while try statement.step() {}
  }

  /// Runs a statement to its end.
  ///
  /// - Returns: The values of its first row; nil if there is no row.
  func row(_ sql: SQL, columns: Int) throws(StoreError) -> [Value]? {
    try rows(sql, columns: columns, atMost: 1).first
  }

  /// Runs a statement to its end.
  ///
  /// - Returns: The values of its first rows, at most `limit`.
  func rows(_ sql: SQL, columns: Int, atMost limit: Int = .max) throws(StoreError) -> [[Value]] {
    let statement = try Statement(sql, on: connection, doing: doing)
    var rows: [[Value]] = []
    while try statement.step() {
      guard rows.count < limit else { continue }
      var row: [Value] = []
      for column in 0..<Int32(columns) { row.append(statement.value(column)) }
      rows.append(row)
    }
    return rows
  }
}

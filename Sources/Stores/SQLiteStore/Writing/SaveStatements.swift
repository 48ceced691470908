import GRDBSQLite
import ObjectModel
import SQLQueries

/// The statements of one save.
///
/// Those that write are listed if the save is only explained.
final class SaveStatements {
  let connection: Connection
  /// The statements that wrote; nil in a save that is not explained.
  private(set) var log: StatementLog?
  /// The operation, for errors.
  private let doing: String

  /// Starts without statements, on a connection in a transaction that may write.
  init(_ connection: Connection, doing: String, log: StatementLog? = nil) {
    self.connection = connection
    self.doing = doing
    self.log = log
  }

  /// Prepares a statement that is run several times, and not listed.
  func prepare(_ sql: SQL) throws(StoreError) -> Statement {
    try Statement(sql, on: connection, doing: doing)
  }

  /// Runs a statement that is not listed, whose rows are not wanted.
  func run(_ sql: SQL) throws(StoreError) { _ = try rows(sql, atMost: 0) }

  /// Runs a statement that reads and returns the values of its first row; nil if there is no row.
  func row(_ sql: SQL) throws(StoreError) -> [Value]? { try rows(sql, atMost: 1).first }

  /// Runs a statement that reads to its end and returns the values of its first rows.
  func rows(_ sql: SQL, atMost limit: Int = .max) throws(StoreError) -> [[Value]] {
    let statement = try Statement(sql, on: connection, doing: doing)
    var rows: [[Value]] = []
    while try statement.step() {
      if rows.count < limit { rows.append(statement.values) }
    }
    return rows
  }

  /// Runs a statement that writes.
  func write(_ sql: SQL) throws(StoreError) {
    try logging(sql) { () throws(StoreError) in try run(sql) }
  }

  /// How many rows the last statement that wrote has changed, without those that triggers changed.
  var changedRowCount: Int { Int(sqlite3_changes(connection.handle)) }

  /// Lists a statement if the save is explained, and runs it with a closure.
  func logging<Result>(
    _ sql: @autoclosure () -> SQL, _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    log?.append(sql())
    do {
      return try body()
    } catch {
      if error.reason == .constraint { log?.markLastAsRefused() }
      throw error
    }
  }
}

/// The readable statements of a save, up to a limit.
struct StatementLog {
  private let limit: Int
  private var shown: [String] = []
  private var count = 0

  init(limit: Int) { self.limit = limit }

  /// The statements, one a line; after the limit a line with the number of those left out.
  var lines: [String] {
    count > shown.count ? shown + ["… and \(Value.grouped(count - shown.count)) more"] : shown
  }

  /// Adds a statement.
  mutating func append(_ sql: SQL) {
    count += 1
    if shown.count < limit { shown.append(sql.readable + ";") }
  }

  /// Turns the last statement into a comment: a constraint refused it, and it is run again later.
  mutating func markLastAsRefused() {
    guard count == shown.count, let last = shown.popLast() else { return }
    shown.append("-- refused by a constraint for now: " + last)
  }
}

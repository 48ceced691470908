import ObjectModel

/// Statements of one piece of work, prepared once and run many times.
final class StatementCache {
  private final class Entry {
    let statement: Statement

    init(_ statement: consuming Statement) { self.statement = statement }
  }

  /// How many statements are kept; rows of very different columns make many.
  private static let capacity = 64

  private let connection: OpaquePointer
  private let doing: String
  private var entries: [String: Entry] = [:]

  init(connection: OpaquePointer, doing: String) {
    self.connection = connection
    self.doing = doing
  }

  /// Runs a statement that gives no rows.
  func run(_ sql: SQL, subject: String = "") throws(StoreError) {
    try entry(sql, subject: subject).statement.run(sql.bindings)
  }

  /// Runs a statement and takes the values of its first row.
  ///
  /// - Returns: The values; nil when there is no row.
  func row(_ sql: SQL, columns: Int, subject: String = "") throws(StoreError) -> [Value]? {
    try rows(sql, columns: columns, subject: subject, atMost: 1).first
  }

  /// Runs a statement to its end and takes the values of its first rows.
  func rows(_ sql: SQL, columns: Int, subject: String = "", atMost limit: Int = .max)
    throws(StoreError) -> [[Value]]
  {
    let entry = try entry(sql, subject: subject)
    try entry.statement.restart(sql.bindings)
    var rows: [[Value]] = []
    while try entry.statement.step() {
      guard rows.count < limit else { continue }
      var row: [Value] = []
      for column in 0..<Int32(columns) { row.append(entry.statement.value(column)) }
      rows.append(row)
    }
    entry.statement.reset()
    return rows
  }

  private func entry(_ sql: SQL, subject: String) throws(StoreError) -> Entry {
    if let entry = entries[sql.text] { return entry }
    if entries.count >= Self.capacity { entries.removeAll() }
    let entry = Entry(try Statement(sql, on: connection, doing: doing, subject: subject))
    entries[sql.text] = entry
    return entry
  }
}

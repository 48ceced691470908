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
    let entry = try entry(sql, subject: subject)
    try entry.statement.restart(sql.bindings)
    var values: [Value]?
    while try entry.statement.step() {
      guard values == nil else { continue }
      var row: [Value] = []
      for column in 0..<Int32(columns) { row.append(entry.statement.value(column)) }
      values = row
    }
    entry.statement.reset()
    return values
  }

  private func entry(_ sql: SQL, subject: String) throws(StoreError) -> Entry {
    if let entry = entries[sql.text] { return entry }
    if entries.count >= Self.capacity { entries.removeAll() }
    let entry = Entry(try Statement(sql, on: connection, doing: doing, subject: subject))
    entries[sql.text] = entry
    return entry
  }
}

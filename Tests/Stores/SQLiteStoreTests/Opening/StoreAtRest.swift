import Foundation
import GRDB

/// The states in which a program may leave a database and its journals.
enum StoreAtRest: String, CaseIterable, Sendable {
  case rollbackJournal, persistedJournal, truncatedJournal
  case logClosed, logEmpty, logEmptyWithIndex, indexAlone
  case logFilled, logFilledWithIndex, logCut, logOfZeros, logHeaderAlone
  case hotJournal

  /// The number of rows a reader must see.
  var rowCount: Int {
    switch self {
    case .rollbackJournal, .persistedJournal, .truncatedJournal, .hotJournal: 2
    case .logClosed, .logEmpty, .logEmptyWithIndex, .indexAlone: 2
    case .logFilled, .logFilledWithIndex: 3
    // The contents of the damaged log are lost; the rows checkpointed before it remain.
    case .logCut, .logOfZeros, .logHeaderAlone: 2
    }
  }

  /// Creates a database in this state.
  func make(name: String = "test.sqlite") throws -> TemporaryDatabase {
    let mode =
      switch self {
      case .rollbackJournal, .hotJournal: "DELETE"
      case .persistedJournal: "PERSIST"
      case .truncatedJournal: "TRUNCATE"
      default: "WAL"
      }
    let source = try TemporaryDatabase(name: name)
    let rest = try TemporaryDatabase(name: name)
    let other = try source.connect()
    try other.writeWithoutTransaction { connection in
      _ = try String.fetchOne(connection, sql: "PRAGMA journal_mode = \(mode)")
      try connection.execute(
        sql: "CREATE TABLE t (id INTEGER PRIMARY KEY, a); INSERT INTO t (a) VALUES (1), (2)")
      if mode == "WAL" { try connection.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
      switch self {
      case .logFilled, .logFilledWithIndex, .logCut, .logOfZeros, .logHeaderAlone:
        try connection.execute(sql: "INSERT INTO t (a) VALUES (3)")
      case .hotJournal:
        try connection.execute(
          sql: """
            PRAGMA cache_size = 1; BEGIN; UPDATE t SET a = 7;
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 99)
            INSERT INTO t (a) SELECT zeroblob(9000) FROM n
            """)
      default: break
      }
      for suffix in ["", "-wal", "-shm", "-journal"] where keeps(suffix) {
        guard FileManager.default.fileExists(atPath: source.path + suffix) else { continue }
        try FileManager.default.copyItem(
          atPath: source.path + suffix, toPath: rest.path + suffix)
      }
      if self == .hotJournal { try connection.execute(sql: "ROLLBACK") }
    }
    try other.close()
    let log = URL(fileURLWithPath: rest.path + "-wal")
    switch self {
    case .logCut: truncate(log.path, 700)
    case .logHeaderAlone: truncate(log.path, 32)
    case .logOfZeros: try Data(count: 9_000).write(to: log)
    default: break
    }
    return rest
  }

  private func keeps(_ suffix: String) -> Bool {
    switch self {
    case .logClosed: suffix.isEmpty
    case .indexAlone: suffix != "-wal"
    case .logEmpty, .logFilled, .logCut, .logOfZeros, .logHeaderAlone: suffix != "-shm"
    default: true
    }
  }
}

import GRDB
import GRDBSQLite
import ObjectModel

/// How the connections to one database are opened.
struct ConnectionSettings: Sendable {
  /// What SQLite opens: a path, or a URI.
  let location: String
  /// The path as a person knows it, for errors.
  let subject: String
  /// How long to wait for another program's lock, in seconds.
  let busyTimeout: Double
  /// Whether readers are opened for writing too, though they never write.
  ///
  /// Reading a database with a write-ahead log makes the files `-wal` and `-shm`. The last connection to close takes
  /// them away again, if it may write. Where a log is there already, readers are opened for reading alone: closing one
  /// would else move the log into the database.
  let readersMayTidy: Bool

  /// Opens a connection for reading.
  ///
  /// - Throws: `DatabaseError`.
  func makeReader() throws -> DatabaseQueue {
    var configuration = makeConfiguration(label: "cardfile.reader")
    configuration.readonly = !readersMayTidy
    configuration.foreignKeysEnabled = false
    configuration.prepareDatabase { database in
      try database.execute(sql: "PRAGMA query_only = ON")
    }
    return try DatabaseQueue(path: location, configuration: configuration)
  }

  /// Opens a connection for writing, which keeps foreign keys.
  ///
  /// - Throws: `DatabaseError`.
  func makeWriter() throws -> DatabaseQueue {
    var configuration = makeConfiguration(label: "cardfile.writer")
    configuration.foreignKeysEnabled = true
    return try DatabaseQueue(path: location, configuration: configuration)
  }

  private func makeConfiguration(label: String) -> Configuration {
    var configuration = Configuration()
    configuration.label = label
    configuration.busyMode = .timeout(busyTimeout)
    // Old views say "text" where they mean 'text'. Our own statements qualify every column, so none is taken for text.
    configuration.acceptsDoubleQuotedStringLiterals = true
    configuration.prepareDatabase { database in
      // A schema from anywhere may not call functions with side effects, and damaged pages are found early.
      try database.execute(sql: "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
      if let connection = database.sqliteConnection { try SQLFunctions.register(on: connection) }
    }
    return configuration
  }
}

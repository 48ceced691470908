import CSQLite
import GRDB
import GRDBSQLite
import ObjectModel

/// How the connections to one database are opened.
struct ConnectionSettings: Sendable {
  /// The path of the database.
  let path: String
  /// What is read in place of it; nil when it is read itself.
  let copyPath: String?
  /// The path as a person knows it, for errors.
  let subject: String
  /// How long to wait for another program's lock, in seconds.
  let busyTimeout: Double

  /// How to read a copy of the database.
  func reading(copy: String) -> ConnectionSettings {
    ConnectionSettings(path: path, copyPath: copy, subject: subject, busyTimeout: busyTimeout)
  }

  /// How to read the database itself.
  var readingOriginal: ConnectionSettings {
    ConnectionSettings(path: path, copyPath: nil, subject: subject, busyTimeout: busyTimeout)
  }

  /// Opens a connection that can only read, and leaves no trace: see traceless_vfs.c.
  ///
  /// - Parameter fileSystem: How to read.
  /// - Returns: The connection.
  /// - Throws: `DatabaseError`.
  func makeReader(through fileSystem: VirtualFileSystem = .traceless) throws -> DatabaseQueue {
    var configuration = makeConfiguration(label: "cardfile.reader")
    configuration.readonly = true
    configuration.foreignKeysEnabled = false
    configuration.prepareDatabase { database in
      try database.execute(sql: "PRAGMA query_only = ON")
    }
    do {
      return try DatabaseQueue(
        path: fileSystem.uri(of: copyPath ?? path), configuration: configuration)
    } catch let error as DatabaseError
      where error.extendedResultCode == .SQLITE_IOERR_SHMMAP && fileSystem == .traceless
    {
      // Another program has come while this was opened.
      return try makeReader(through: .sharingIndex)
    }
  }

  /// Opens a connection to the database itself for writing, which keeps foreign keys.
  ///
  /// - Throws: `DatabaseError`.
  func makeWriter() throws -> DatabaseQueue {
    var configuration = makeConfiguration(label: "cardfile.writer")
    configuration.foreignKeysEnabled = true
    return try DatabaseQueue(
      path: VirtualFileSystem.writing.uri(of: path), configuration: configuration)
  }

  private func makeConfiguration(label: String) -> Configuration {
    var configuration = Configuration()
    configuration.label = label
    configuration.busyMode = .timeout(busyTimeout)
    // Old views say "text" where they mean 'text'. Our own statements qualify every column, so none is taken for text.
    configuration.acceptsDoubleQuotedStringLiterals = true
    configuration.prepareDatabase { database in
      if let connection = database.sqliteConnection {
        // Closing does not move a log into the database, and no statement may break the file by design.
        _ = cs_setFlag(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        _ = cs_setFlag(connection, SQLITE_DBCONFIG_DEFENSIVE, 1)
        try SQLFunctions.register(on: connection)
      }
      // A schema from anywhere may not call functions with side effects, and damaged pages are found early.
      try database.execute(sql: "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
    }
    return configuration
  }
}

extension DatabaseQueue {
  /// Whether what this connection has read last may be mixed from two states of the database; it can read no more then.
  ///
  /// That is so when another program begins to use a database with a write-ahead log that nobody used before.
  var isOutdated: Bool {
    writeWithoutTransaction { database in
      database.sqliteConnection.map { cs_isOutdated($0) != 0 } ?? false
    }
  }

  /// Lets the log be moved into the database when this connection is the last to close.
  func moveLogOnClosing() {
    writeWithoutTransaction { database in
      guard let connection = database.sqliteConnection else { return }
      _ = cs_setFlag(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0)
    }
  }
}

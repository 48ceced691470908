import CSQLite
import GRDB
import GRDBSQLite
import ObjectModel

/// How the connections to one database are opened.
struct ConnectionSettings: Sendable {
  /// The path of the database.
  let path: String
  /// The path of the copy that is read instead; nil to read the database itself.
  var copyPath: String?
  /// The path that the user gave, for errors.
  let subject: String
  /// How threads wait for another program's lock.
  let lockWait: LockWait
  /// The collations that readers get because SQLite does not have them: see ``FallbackCollation``.
  var fallbackCollations: [String] = []
  /// See ``SQLiteStore/Options/isRecoverable``.
  var isRecoverable = false

  /// Opens a read-only connection, which changes nothing on disk: see traceless_vfs.c.
  ///
  /// - Throws: `DatabaseError`.
  func makeReader(through fileSystem: VirtualFileSystem = .traceless) throws -> DatabaseQueue {
    var configuration = makeConfiguration(label: "cardfile.reader")
    configuration.readonly = true
    configuration.foreignKeysEnabled = false
    configuration.prepareDatabase { [fallbackCollations] database in
      try database.execute(sql: "PRAGMA query_only = ON")
      try FallbackCollation.register(fallbackCollations, on: database)
    }
    do {
      return try DatabaseQueue(
        path: fileSystem.uri(of: copyPath ?? path), configuration: configuration)
    } catch let error as DatabaseError
      where error.extendedResultCode == .SQLITE_IOERR_SHMMAP && fileSystem == .traceless
    {
      // Another process has opened the database meanwhile.
      return try makeReader(through: .sharingIndex)
    }
  }

  /// Opens a connection for writing to the database itself, with foreign keys enforced.
  ///
  /// - Throws: `DatabaseError`.
  func makeWriter() throws -> DatabaseQueue {
    var configuration = makeConfiguration(label: "cardfile.writer")
    configuration.foreignKeysEnabled = true
    if isRecoverable {
      // With room for 5,000 rows a transaction writes its pages once: a sixth less time.
      configuration.prepareDatabase {
        try $0.execute(sql: "PRAGMA synchronous = NORMAL; PRAGMA cache_size = -16384")
      }
    }
    return try DatabaseQueue(
      path: VirtualFileSystem.writing.uri(of: path), configuration: configuration)
  }

  /// Opens a connection for writing what is rolled back, to the database or a copy of it; it makes
  /// no file.
  ///
  /// - Throws: `DatabaseError`.
  func makeRehearser(in copy: Draft?) throws -> DatabaseQueue {
    var configuration = makeConfiguration(label: "cardfile.rehearser")
    configuration.foreignKeysEnabled = true
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA journal_mode = MEMORY") }
    let uri = try VirtualFileSystem.writing.uri(of: copy?.ownPath ?? path)
    return try DatabaseQueue(
      path: copy == nil ? uri : uri + "&nolock=1", configuration: configuration)
  }

  private func makeConfiguration(label: String) -> Configuration {
    var configuration = Configuration()
    configuration.label = label
    configuration.busyMode = .callback { [lockWait] in lockWait.goesOn(after: $0) }
    // Old views write "text" for 'text'. Our statements qualify every column, so that SQLite takes
    // none for text.
    configuration.acceptsDoubleQuotedStringLiterals = true
    let externalFolder = ExternalFolder(storePath: path)
    configuration.prepareDatabase { [subject] database in
      if let connection = database.sqliteConnection {
        // Closing does not checkpoint the write-ahead log; statements cannot corrupt the file on
        // purpose.
        _ = cs_setFlag(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        _ = cs_setFlag(connection, SQLITE_DBCONFIG_DEFENSIVE, 1)
        try SQLFunctions.register(on: connection, externalFolder: externalFolder)
      }
      // Damaged pages are detected early. The schema is trusted, because ordinary ones call
      // functions that SQLite 3.40 does not call otherwise: json_extract() in an index, FTS and
      // R-tree in triggers. None that it can call has side effects: there are no extensions, and
      // DEFENSIVE protects SQLite's own tables.
      try database.execute(sql: "PRAGMA trusted_schema = ON; PRAGMA cell_size_check = ON")
      try Self.readHeader(database, subject: subject)
    }
    return configuration
  }

  /// Reads the database's header, so that an error while opening comes with the system's reason.
  private static func readHeader(_ database: Database, subject: String) throws {
    do {
      try database.execute(sql: "PRAGMA schema_version")
    } catch let error as DatabaseError
      where [.SQLITE_CANTOPEN, .SQLITE_IOERR].contains(error.resultCode)
      && error.extendedResultCode != .SQLITE_IOERR_SHMMAP
    {
      throw StoreError(
        sqlite: error.extendedResultCode.rawValue, connection: database.sqliteConnection,
        doing: "opening", subject: subject)
    }
  }
}

extension DatabaseQueue {
  /// Whether the last read may mix two states of the database; the connection cannot be used any
  /// more then.
  ///
  /// This happens when another process opens a database with a write-ahead log that nobody had
  /// open.
  var isOutdated: Bool {
    writeWithoutTransaction { database in
      database.sqliteConnection.map { cs_isOutdated($0) != 0 } ?? false
    }
  }

  /// Allows SQLite to checkpoint the write-ahead log when this connection is the last one to close.
  func checkpointOnClose() {
    writeWithoutTransaction { database in
      guard let connection = database.sqliteConnection else { return }
      _ = cs_setFlag(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0)
    }
  }
}

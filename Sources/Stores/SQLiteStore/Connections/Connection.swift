import GRDB
import GRDBSQLite
import ObjectModel
import SQLQueries

/// A connection in use: what a piece of work runs its statements on, until the work ends.
struct Connection {
  /// GRDB's access to the connection.
  let database: Database
  /// SQLite's handle.
  let handle: OpaquePointer
  /// The connection's prepared statements.
  let statements: StatementCache
  /// What the connection knows of the schema.
  let schema: KnownSchema

  /// Gives access to a connection, the statements that it keeps, and what it knows of the schema.
  ///
  /// - Throws: ``StoreError`` if the connection is closed.
  init(
    _ database: Database, statements: StatementCache = StatementCache(capacity: 0),
    schema: KnownSchema = KnownSchema()
  ) throws(StoreError) {
    guard let handle = database.sqliteConnection else {
      throw StoreError(.other, doing: "reading", detail: "the connection is closed")
    }
    self.database = database
    self.handle = handle
    self.statements = statements
    self.schema = schema
  }
}

/// An open connection of a pool, with the prepared statements that it keeps.
final class PooledConnection: Sendable {
  /// GRDB's queue, which owns SQLite's connection.
  let queue: DatabaseQueue
  let statements = StatementCache()
  private let schema = KnownSchema()

  init(_ queue: DatabaseQueue) { self.queue = queue }

  deinit { close() }

  /// Runs a closure on the connection, outside of any transaction but that of a
  /// ``ReadTransaction``.
  func use<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    try queue.unsafeReentrantWrite {
      try body(Connection($0, statements: statements, schema: schema))
    }
  }

  /// Runs a closure on the connection in a read transaction.
  func read<Result>(_ body: (Connection) throws -> Result) throws -> Result? {
    try use { connection in
      var result: Result?
      try connection.database.inTransaction(.deferred) {
        result = try body(connection)
        // Nothing was written, and a commit fails after SQLite has found damage.
        return .rollback
      }
      return result
    }
  }

  /// Runs a closure on the connection in a read transaction that has begun to read, unless somebody
  /// holds a lock.
  ///
  /// - Parameter body: What to run.
  /// - Throws: `DatabaseError` if the transaction cannot begin at once.
  func readAtOnce(_ body: (Connection) -> Void) throws {
    try use { connection in
      try connection.database.inTransaction(.deferred) {
        try LockWait.never {
          _ = try connection.rows("SELECT 1 FROM sqlite_master LIMIT 1", doing: "reading")
        }
        body(connection)
        return .rollback
      }
    }
  }

  /// Finalizes the prepared statements and closes the connection.
  func close() {
    statements.removeAll()
    try? queue.close()
  }
}

/// The transaction in which a thread reads one state of a database, through several calls.
struct ReadTransaction: Sendable {
  /// The transaction of the running closure; nil if each call has its own.
  @TaskLocal static var current: ReadTransaction?

  /// The pool of the connection.
  let pool: ObjectIdentifier
  let connection: PooledConnection
}

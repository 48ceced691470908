import Foundation
package import ObjectModel
import SQLQueries
import Synchronization

/// A database of a PostgreSQL server as a store.
///
/// Its tables, views and foreign keys are the entities and relationships; nothing is created in it.
/// What the server answers as we do of a fetch it answers; the rest is evaluated here, and
/// ``IncrementalStore/evaluation(of:control:)`` tells how many rows that took.
package final class PostgreSQLStore: IncrementalStore {
  package let identifier: String
  package let summary: StoreSummary
  package var model: ManagedObjectModel { schema.layout.model }
  let schema: ServerSchema
  let pool: ServerPool
  private let watcher: ServerWatcher
  private let timeLimit = Mutex<Double?>(nil)

  /// Whether a text is the address of a server, and no path.
  package static func isAddress(_ text: String) -> Bool { ServerAddress.isAddress(text) }

  /// An address, or a path, as it may be shown.
  package static func withoutPassword(_ text: String) -> String {
    isAddress(text) ? ServerAddress.withoutPassword(text) : text
  }

  /// Opens a database.
  ///
  /// - Parameters:
  ///   - address: A URL `postgres://user@host/database`, or libpq's `name=value` pairs, whose other
  ///     parts come from the environment as with psql.
  ///   - isReadOnly: Whether every transaction is read-only.
  ///   - keys: The key columns of tables and views that have no key in the database, by entity.
  /// - Throws: ``StoreError`` if the server does not let us in, or the program was built without
  ///   PostgreSQL's client library.
  package init(address: String, isReadOnly: Bool = false, keys: [String: [String]] = [:])
    throws(StoreError)
  {
    // No JIT: each new connection loads the compiler for the first EXPLAIN of many rows, which takes
    // longer than most of our statements.
    pool = try ServerPool(
      address,
      settings: """
        SET lock_timeout = '5s'; SET idle_in_transaction_session_timeout = '60s';
        SELECT set_config('statement_timeout', '10min', false)
        WHERE current_setting('statement_timeout') = '0';
        SELECT set_config('jit', 'off', false) FROM pg_settings WHERE name = 'jit';
        \(isReadOnly ? "SET default_transaction_read_only = on;" : "")
        """)
    var facts: [String] = []
    var isStandby = false
    let schema = try pool.read { connection throws(StoreError) in
      try connection.run(
        """
        SELECT current_setting('server_version'), current_database(), pg_is_in_recovery(), \
        coalesce(host(inet_server_addr()), 'local'), coalesce(inet_server_port(), 0), \
        current_setting('default_transaction_read_only') = 'on'
        """
      ) { row in
        facts = [0, 1, 3, 4].map { row.text($0) ?? "" }
        isStandby = row.flag(2)
      }
      return try ServerSchema(keys: keys, connection)
    }
    self.schema = schema
    guard facts.count == 4 else { throw StoreError(.other, doing: "opening", subject: address) }
    let version = facts[0].prefix { $0 != " " }
    identifier = "postgresql:\(facts[2]):\(facts[3])/\(facts[1])"
    summary = StoreSummary(
      name: facts[1], kind: "PostgreSQL \(version)",
      readOnlyReason: isReadOnly
        ? "opened with --read-only" : isStandby ? "the server is a standby" : nil)
    watcher = ServerWatcher(pool)
  }

  deinit { close() }

  /// Stops reads that nobody can cancel after some seconds; nil for no limit.
  ///
  /// The thread of a screen reads again in the background then.
  package func limitReads(to seconds: Double?) { timeLimit.withLock { $0 = seconds } }

  /// What stops a fetch: whoever watches it, or else the time.
  func limit(_ control: FetchControl?) -> FetchControl? {
    if control != nil || FetchControl.current?.isPatient == true { return control }
    return timeLimit.withLock(\.self).map { FetchControl(timeLimit: $0) }
  }

  /// Ends the connections.
  package func close() {
    watcher.stop()
    pool.close()
  }

  /// Calls a handler after other sessions have written: it is looked every second whether a
  /// transaction has.
  package func observeForeignChanges(_ handler: @escaping @Sendable () -> Void)
    -> StoreObservation
  {
    watcher.observe(handler)
  }

  /// Runs the closure in a transaction that sees one state.
  package func inReadTransaction<Result>(_ body: () throws -> Result) throws -> Result {
    try pool.inReadTransaction(body)
  }

  /// Prepares what is read of an entity.
  func selection(
    _ entityName: String, only names: Set<String>? = nil, cutsLongValues: Bool = true,
    scope: QueryScope? = nil
  ) throws(StoreError) -> RowSelection {
    try RowSelection(
      entityName, only: names, cutsLongValues: cutsLongValues, scope: scope, in: schema,
      storeIdentifier: identifier)
  }
}

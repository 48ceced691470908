import Foundation
import ObjectModel
import SQLQueries
import Synchronization

/// Looks whether other sessions have written, as long as somebody wants to know: at once where a
/// trigger notifies the channel ``channel``, and else every second.
///
/// A server has no file that could be watched. Its snapshot names the transactions that have begun to
/// write and those that have not ended: it changes with every commit, of any database.
final class ServerWatcher: Sendable {
  private struct State {
    var handlers: [Int: @Sendable () -> Void] = [:]
    var next = 0
    /// The number of the thread that looks; it ends when there is another one, or none is wanted.
    var round = 0
    var isLooking = false
  }

  /// The channel that triggers notify.
  static let channel = "cardfile"

  private let state = Mutex(State())
  private let pool: ServerPool

  init(_ pool: ServerPool) { self.pool = pool }

  deinit { stop() }

  func observe(_ handler: @escaping @Sendable () -> Void) -> StoreObservation {
    let number = state.withLock { state in
      state.handlers[state.next] = handler
      state.next += 1
      return state.next - 1
    }
    start()
    return StoreObservation { [weak self] in self?.remove(number) }
  }

  /// Stops looking.
  func stop() {
    state.withLock { state in
      (state.isLooking, state.handlers) = (false, [:])
      state.round += 1
    }
  }

  private func remove(_ number: Int) {
    let isLast = state.withLock { state in
      state.handlers[number] = nil
      return state.handlers.isEmpty
    }
    if isLast { stop() }
  }

  private func start() {
    let round = state.withLock { state -> Int? in
      guard !state.isLooking else { return nil }
      state.isLooking = true
      state.round += 1
      return state.round
    }
    guard let round else { return }
    let pool = pool
    Thread.detachNewThread { [weak self] in
      var seen: String?
      while self?.isWanted(round) == true {
        // Without an answer nothing is known: the next look may tell.
        try? pool.lend { connection throws(StoreError) in
          defer { connection.stopListening() }
          try connection.execute("LISTEN \(Self.channel)")
          while self?.isWanted(round) == true {
            var present: String?
            try connection.run("SELECT txid_current_snapshot()") { row in present = row.text(0) }
            if seen != nil, seen != present { self?.tell(round) }
            seen = present
            if try connection.waitForNotification(seconds: 1) {
              // What it is about is in the next snapshot.
              seen = ""
            }
          }
        }
        if self?.isWanted(round) == true { Thread.sleep(forTimeInterval: 1) }
      }
    }
  }

  private func isWanted(_ round: Int) -> Bool {
    state.withLock { $0.isLooking && $0.round == round }
  }

  private func tell(_ round: Int) {
    let handlers = state.withLock { $0.round == round ? Array($0.handlers.values) : [] }
    for handler in handlers { handler() }
  }
}

extension PostgreSQLStore {
  /// The statements that make the server tell of changes of tables at once.
  ///
  /// They are for a person to read and run: nothing is created in somebody's database.
  ///
  /// - Parameter entityNames: The entities; views, which have no triggers of this kind, are left out.
  /// - Returns: The statements, for psql.
  package func notifyingStatements(for entityNames: [String]) -> String {
    let name = "\(ServerWatcher.channel)_notify"
    var text = """
      CREATE OR REPLACE FUNCTION \(name)() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_notify('\(ServerWatcher.channel)', TG_TABLE_SCHEMA || '.' || TG_TABLE_NAME);
        RETURN NULL;
      END $$;

      """
    for entityName in entityNames {
      guard let table = schema.layout.tables[entityName],
        let own = schema.tables[entityName], own.mayNotify
      else { continue }
      let truncate = own.isForeign ? "" : " OR TRUNCATE"
      let statement: SQL = "ON \(table.rows) FOR EACH STATEMENT EXECUTE FUNCTION"
      text += """

        CREATE TRIGGER \(name) AFTER INSERT OR UPDATE OR DELETE\(truncate)
          \(statement.readable) \(name)();

        """
    }
    return text
  }
}

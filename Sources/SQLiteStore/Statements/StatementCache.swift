import GRDBSQLite
import Synchronization

/// The prepared statements that a connection keeps, so that a statement that is run often is
/// prepared once.
///
/// A statement in use is not in the cache: work that runs the same text inside it prepares another
/// one. SQLite itself prepares a statement again when the schema has changed. Statements are kept
/// reset and without bindings, so that they hold no lock and no value. The least recently used
/// statement makes room for a new one.
///
/// The statements must be finalized before their connection is closed: see ``removeAll()``. Only
/// whoever uses the connection may call these methods.
final class StatementCache: Sendable {
  /// How many statements a connection keeps.
  static let usualCapacity = 32
  /// The longest text that is kept, in UTF-8 bytes: long ones are lists of values that seldom come
  /// again.
  static let longestText = 8192

  private struct Entry {
    /// The address of the `sqlite3_stmt`; pointers are not Sendable.
    let address: UInt
    /// The value of ``State/clock`` when the statement was given back.
    let lastUse: Int
  }

  private struct State {
    var entries: [String: Entry] = [:]
    var clock = 0
  }

  private let capacity: Int
  private let state = Mutex(State())

  /// Creates an empty cache.
  ///
  /// - Parameter capacity: How many statements are kept at most; 0 keeps none.
  init(capacity: Int = usualCapacity) { self.capacity = capacity }

  deinit { removeAll() }

  /// How many statements are kept now.
  var count: Int { state.withLock { $0.entries.count } }

  /// Whether a statement with this text would be kept.
  ///
  /// A PRAGMA is not: SQLite may run it already when it is prepared.
  func keeps(_ text: String) -> Bool {
    capacity > 0 && text.utf8.count <= Self.longestText && !text.hasPrefix("PRAGMA")
  }

  /// Takes a statement out of the cache.
  ///
  /// - Parameter text: Its text.
  /// - Returns: The statement, reset and without bindings; nil if none is kept.
  func take(_ text: String) -> OpaquePointer? {
    state.withLock { $0.entries.removeValue(forKey: text)?.address }
      .flatMap(OpaquePointer.init(bitPattern:))
  }

  /// Resets a statement and keeps it, or finalizes it if it is too long or its text is in the cache
  /// already.
  func giveBack(_ statement: OpaquePointer, text: String) {
    guard keeps(text) else {
      sqlite3_finalize(statement)
      return
    }
    sqlite3_reset(statement)
    sqlite3_clear_bindings(statement)
    let entry = UInt(bitPattern: statement)
    let removed = state.withLock { state -> UInt? in
      if state.entries[text] != nil { return entry }
      state.clock += 1
      var removed: UInt?
      if state.entries.count >= capacity,
        let oldest = state.entries.min(by: { $0.value.lastUse < $1.value.lastUse })
      {
        removed = state.entries.removeValue(forKey: oldest.key)?.address
      }
      state.entries[text] = Entry(address: entry, lastUse: state.clock)
      return removed
    }
    sqlite3_finalize(removed.flatMap(OpaquePointer.init(bitPattern:)))
  }

  /// Finalizes all kept statements, as must be done before the connection is closed.
  func removeAll() {
    let addresses = state.withLock { state in
      defer { state.entries = [:] }
      return state.entries.values.map(\.address)
    }
    for address in addresses { sqlite3_finalize(OpaquePointer(bitPattern: address)) }
  }
}

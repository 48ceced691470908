import GRDBSQLite
import Synchronization

/// The prepared statements that a connection keeps, so that a statement that is run often is
/// prepared once.
///
/// A statement in use is not in the cache: work that runs the same text inside it prepares another
/// one. SQLite itself prepares a statement again when the schema has changed. Statements are kept
/// reset and without bindings, so that they hold no lock and no value. The least recently used
/// statement makes room for a new one. A save has statements of its own beside it (`RowWrites`), found by
/// their columns: their SQL is not written again for each row.
///
/// The statements must be finalized before their connection is closed: see ``removeAll()``. Only
/// whoever uses the connection may call these methods.
final class StatementCache: Sendable {
  /// How many statements a connection keeps.
  static let usualCapacity = 32
  /// The longest text that is kept, in UTF-8 bytes: long ones are lists of values that seldom come
  /// again.
  static let longestText = 8192

  private static let pragmasOfHeader: Set = ["PRAGMA schema_version", "PRAGMA page_count"]

  private let capacity: Int
  /// The texts and the addresses of the `sqlite3_stmt`, as pointers are not Sendable; the least
  /// recently used first.
  private let kept = Mutex<[(text: String, address: UInt)]>([])

  /// Creates an empty cache.
  ///
  /// - Parameter capacity: How many statements are kept at most; 0 keeps none.
  init(capacity: Int = usualCapacity) { self.capacity = capacity }

  deinit { removeAll() }

  /// How many statements are kept now.
  var count: Int { kept.withLock { $0.count } }

  /// Whether a statement with this text would be kept.
  ///
  /// A PRAGMA is not, since SQLite may run it already when it is prepared, but for the two that read
  /// the file's header at each run.
  func keeps(_ text: String) -> Bool {
    capacity > 0 && text.utf8.count <= Self.longestText
      && (!text.hasPrefix("PRAGMA") || Self.pragmasOfHeader.contains(text))
  }

  /// Takes a statement out of the cache.
  ///
  /// - Parameter text: Its text.
  /// - Returns: The statement, reset and without bindings; nil if none is kept.
  func take(_ text: String) -> OpaquePointer? {
    kept.withLock { kept in
      kept.firstIndex { $0.text == text }.map { kept.remove(at: $0).address }
    }.flatMap(OpaquePointer.init(bitPattern:))
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
    let address = UInt(bitPattern: statement)
    let removed = kept.withLock { kept -> UInt? in
      if kept.contains(where: { $0.text == text }) { return address }
      kept.append((text, address))
      return kept.count > capacity ? kept.removeFirst().address : nil
    }
    sqlite3_finalize(removed.flatMap(OpaquePointer.init(bitPattern:)))
  }

  /// Finalizes all kept statements, as must be done before the connection is closed.
  func removeAll() {
    let removed = kept.withLock { kept in
      defer { kept = [] }
      return kept
    }
    for (_, address) in removed { sqlite3_finalize(OpaquePointer(bitPattern: address)) }
  }
}

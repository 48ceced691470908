import Synchronization

/// The greatest keys that were given to objects that are not inserted yet, by table.
///
/// A plain table does not count its keys: without them another new row would get the same one.
final class ReservedKeys: Sendable {
  private let lastKeys = Mutex<[String: Int64]>([:])

  /// The greatest key that was reserved in a table; 0 if none was.
  func lastKey(inTable table: String) -> Int64 { lastKeys.withLock { $0[table] ?? 0 } }

  /// Notes a key that is reserved.
  func add(_ key: Int64, toTable table: String) {
    lastKeys.withLock { $0[table] = max($0[table] ?? 0, key) }
  }
}

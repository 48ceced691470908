import ObjectModel
import SQLQueries
import Synchronization

/// What a connection has learned from the schema, until its version changes: to ask for each fetch
/// would take longer than to read a thousand rows.
final class KnownSchema: Sendable {
  private struct Facts: Sendable {
    var version: Int64
    var isUTF8: Bool?
    var shapes: [String: TableShape?] = [:]
  }

  private let known = Mutex(Facts(version: -1))

  /// Whether text is stored as UTF-8.
  ///
  /// - Throws: ``StoreError``.
  func isUTF8(on connection: Connection) throws(StoreError) -> Bool {
    let version = try current(on: connection)
    if let known = known.withLock({ $0.isUTF8 }) { return known }
    let found =
      try connection.rows("PRAGMA encoding", doing: "fetching") == [[.string("UTF-8")]]
    known.withLock { if $0.version == version { $0.isUTF8 = found } }
    return found
  }

  /// The shape of the table of a scope, whose key is an integer; nil if it has none.
  ///
  /// - Throws: ``StoreError``.
  func shape(key: String, _ scope: QueryScope, on connection: Connection) throws(StoreError)
    -> TableShape?
  {
    let version = try current(on: connection)
    let name = scope.table.name
    if let known = known.withLock({ $0.shapes[name] }) { return known }
    let found = try TableShape(of: scope.table, key: key, scope, on: connection)
    known.withLock { if $0.version == version { $0.shapes[name] = .some(found) } }
    return found
  }

  /// The version of the schema in the connection's transaction; what is known of another one is
  /// forgotten.
  private func current(on connection: Connection) throws(StoreError) -> Int64 {
    let version = try connection.number("PRAGMA schema_version", doing: "fetching")
    known.withLock { if $0.version != version { $0 = Facts(version: version) } }
    return version
  }
}

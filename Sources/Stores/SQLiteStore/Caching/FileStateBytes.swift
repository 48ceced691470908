import CSQLite
import ObjectModel
import SQLQueries

/// The state of the database that a connection reads, as bytes by which any process recognises it:
/// see traceless_vfs.c.
struct FileStateBytes: Hashable {
  let bytes: [UInt8]

  /// The state that a connection reads in its transaction; nil if it cannot be told.
  ///
  /// - Throws: ``StoreError``.
  init?(of connection: Connection) throws(StoreError) {
    // The transaction begins with its first statement.
    let begin = try Statement(
      "SELECT 1 FROM sqlite_master LIMIT 1", on: connection, doing: "fetching")
    _ = try begin.step()
    bytes = [UInt8](unsafeUninitializedCapacity: Int(CS_STATE_SIZE)) { buffer, count in
      count = Int(cs_readState(connection.handle, buffer.baseAddress))
    }
    if bytes.isEmpty { return nil }
  }
}

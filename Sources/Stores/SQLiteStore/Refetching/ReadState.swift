import CSQLite
import ObjectModel
import SQLQueries

/// The state of the database that a connection has read, as the connection itself counts states and
/// as another one recognises it.
struct ReadState: Sendable {
  /// What belongs to the connection alone, and ends with it.
  private weak var statements: StatementCache?
  private let version: Int64
  /// By what other connections recognise it; nil if they cannot.
  private let bytes: FileStateBytes?

  /// The state that a connection reads in its transaction.
  ///
  /// - Parameters:
  ///   - connection: The connection.
  ///   - isRecognisable: Whether the file is one whose states can be told from outside.
  /// - Throws: ``StoreError``.
  init(of connection: Connection, isRecognisable: Bool) throws(StoreError) {
    statements = connection.statements
    version = try Self.version(on: connection)
    bytes = isRecognisable ? try FileStateBytes(of: connection) : nil
  }

  /// Whether both are one state: of the same connection without a commit between them, or the files
  /// say so.
  func isSame(as other: ReadState) -> Bool {
    if let statements, statements === other.statements { return version == other.version }
    return bytes != nil && bytes == other.bytes
  }

  /// The version of the state: only those of one connection can be compared.
  private static func version(on connection: Connection) throws(StoreError) -> Int64 {
    // The version is that of the transaction once it has begun to read.
    _ = try connection.rows("SELECT 1 FROM sqlite_master LIMIT 1", doing: "fetching")
    let rows = try connection.rows("PRAGMA data_version", doing: "fetching")
    return if case .integer(let version)? = rows.first?.first { version } else { 0 }
  }
}

/// The state of the database that a connection reads, as bytes by which any process recognises it:
/// see traceless_vfs.c.
struct FileStateBytes: Hashable {
  let bytes: [UInt8]

  /// The state that a connection reads in its transaction; nil if it cannot be told.
  ///
  /// - Throws: ``StoreError``.
  init?(of connection: Connection) throws(StoreError) {
    // The transaction begins with its first statement.
    _ = try connection.rows("SELECT 1 FROM sqlite_master LIMIT 1", doing: "fetching")
    bytes = [UInt8](unsafeUninitializedCapacity: Int(CS_STATE_SIZE)) { buffer, count in
      count = Int(cs_readState(connection.handle, buffer.baseAddress))
    }
    if bytes.isEmpty { return nil }
  }
}

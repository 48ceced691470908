import GRDBSQLite
import ObjectModel

/// The SQL functions that queries call, registered on a connection through SQLite's C interface.
///
/// They read text in place and allocate nothing for ASCII, because a search calls them for every
/// row.
enum SQLFunctions {
  typealias Callback =
    @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void

  /// SQLITE_TRANSIENT: SQLite copies the bytes.
  ///
  /// The C macro is a cast, which Swift does not import.
  static var transient: sqlite3_destructor_type {
    unsafeBitCast(-1, to: sqlite3_destructor_type.self)
  }

  private static var scalars: [(name: String, argumentCount: Int32, callback: Callback)] {
    [
      ("cardfile_fold", 2, fold), ("cardfile_length", 1, length),
      ("cardfile_contains", -1, contains), ("cardfile_begins", -1, begins),
      ("cardfile_ends", -1, ends), ("cardfile_like", -1, like), ("cardfile_sort_key", 2, sortKey),
      ("cardfile_date", 2, date), ("cardfile_beginning", 2, beginning),
      ("cardfile_text", 2, castText), ("cardfile_evaluate", -1, evaluate),
      ("cardfile_group_value", 3, groupValue),
    ]
  }

  private static var aggregates:
    [(name: String, argumentCount: Int32, step: Callback, final: Final)]
  {
    [
      ("cardfile_group_rows", -1, groupStep, groupFinal), ("cardfile_sum", 2, sumStep, sumFinal),
      ("cardfile_average", 2, sumStep, averageFinal), ("cardfile_min", 2, minStep, bestFinal),
      ("cardfile_max", 2, maxStep, bestFinal),
    ]
  }

  /// A folder, as a function holds it.
  final class ExternalFolderBox {
    let folder: ExternalFolder

    init(_ folder: ExternalFolder) { self.folder = folder }
  }

  /// Registers the functions on a connection.
  ///
  /// - Parameters:
  ///   - connection: The connection.
  ///   - externalFolder: The folder of external files; nil if their values are not read.
  /// - Throws: ``StoreError`` if SQLite is out of memory.
  static func register(on connection: OpaquePointer, externalFolder: ExternalFolder? = nil)
    throws(StoreError)
  {
    func register(
      _ name: String, _ argumentCount: Int32, scalar: Callback? = nil, step: Callback? = nil,
      final: Final? = nil, flags: Int32 = SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS,
      context: UnsafeMutableRawPointer? = nil,
      release: (@convention(c) (UnsafeMutableRawPointer?) -> Void)? = nil
    ) throws(StoreError) {
      let code = sqlite3_create_function_v2(
        connection, name, argumentCount, SQLITE_UTF8 | flags, context, scalar, step, final, release)
      guard code == SQLITE_OK else {
        throw StoreError(sqlite: code, connection: connection, doing: "opening")
      }
    }
    for (name, count, callback) in scalars { try register(name, count, scalar: callback) }
    for (name, count, step, final) in aggregates {
      try register(name, count, step: step, final: final)
    }
    // Not deterministic: files are not part of the database.
    try register(
      "cardfile_external", 2, scalar: external, flags: SQLITE_INNOCUOUS,
      context: externalFolder.flatMap { Unretained(retaining: ExternalFolderBox($0)).pointer },
      release: { Unretained<ExternalFolderBox>(pointer: $0).release() })
  }

  /// The stored value of an argument.
  static func value(_ argument: OpaquePointer?) -> Value { StoredField(argument).value }

  /// The bytes of a text or blob, valid during the call or until the next step.
  static func bytes(_ value: OpaquePointer?, type: Int32) -> UnsafeBufferPointer<UInt8> {
    type == SQLITE_TEXT ? text(value) : blob(value)
  }

  /// The UTF-8 bytes of a text argument, valid during the call.
  ///
  /// They are read as a blob: `sqlite3_value_text` would copy them to append a NUL.
  static func text(_ argument: OpaquePointer?) -> UnsafeBufferPointer<UInt8> {
    if sqlite3_value_encoding(argument) == SQLITE_UTF8 { return blob(argument) }
    let start = sqlite3_value_text(argument)
    return UnsafeBufferPointer(
      start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(argument)))
  }

  /// The bytes of a blob argument, valid during the call.
  static func blob(_ argument: OpaquePointer?) -> UnsafeBufferPointer<UInt8> {
    let start = sqlite3_value_blob(argument)?.assumingMemoryBound(to: UInt8.self)
    return UnsafeBufferPointer(
      start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(argument)))
  }
}

extension StoredField {
  /// The value of an argument or of a column, valid as long as SQLite's.
  init(_ value: OpaquePointer?) {
    self =
      switch sqlite3_value_type(value) {
      case SQLITE_INTEGER: .integer(sqlite3_value_int64(value))
      case SQLITE_FLOAT: .double(sqlite3_value_double(value))
      case SQLITE_TEXT: .text(SQLFunctions.text(value))
      case SQLITE_BLOB: .bytes(SQLFunctions.blob(value))
      default: .null
      }
  }
}

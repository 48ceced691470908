import GRDBSQLite
import ObjectModel

extension Statement {
  /// Adds the stored value of a column to a digest.
  borrowing func add(_ column: Int32, to digest: inout RowDigest) {
    switch field(column) {
    case .integer(let number): digest.add(kind: SQLITE_INTEGER, UInt64(bitPattern: number))
    case .double(let number): digest.add(kind: SQLITE_FLOAT, number.bitPattern)
    case .text(let bytes): digest.add(kind: SQLITE_TEXT, length: bytes.count, bytes)
    case .bytes(let bytes): digest.add(kind: SQLITE_BLOB, length: bytes.count, bytes)
    case .null: digest.add(kind: SQLITE_NULL, 0)
    }
  }
}

import GRDBSQLite
import ObjectModel

extension Statement {
  /// Adds the stored value of a column to a digest.
  borrowing func add(_ column: Int32, to digest: inout RowDigest) {
    let type = type(column)
    switch type {
    case SQLITE_INTEGER: digest.add(kind: type, UInt64(bitPattern: integer(column)))
    case SQLITE_FLOAT: digest.add(kind: type, double(column).bitPattern)
    case SQLITE_TEXT, SQLITE_BLOB:
      withBytes(column, type: type) { digest.add(kind: type, length: $0.count, $0) }
    default: digest.add(kind: type, 0)
    }
  }
}

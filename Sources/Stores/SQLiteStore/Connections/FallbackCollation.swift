import Foundation
import GRDB
import GRDBSQLite

/// A comparison of bytes under the name of a collation that SQLite does not have here.
///
/// SQLite opens a table WITHOUT ROWID only if it has the collations of its key, although a scan of
/// the table compares nothing. No key is looked up by such a collation, whose order is not known, and
/// nothing is written by it: only readers have it, and ``EntityTable/source`` compares by bytes
/// explicitly.
enum FallbackCollation {
  /// Registers the comparison under some names.
  ///
  /// - Throws: `DatabaseError`.
  static func register(_ names: [String], on database: Database) throws {
    guard let connection = database.sqliteConnection else { return }
    for name in names {
      let code = sqlite3_create_collation_v2(
        connection, name, SQLITE_UTF8, nil,
        { _, leftCount, left, rightCount, right in
          guard let left, let right else { return leftCount - rightCount }
          let order = memcmp(left, right, Int(min(leftCount, rightCount)))
          return order != 0 ? order : leftCount - rightCount
        }, nil)
      guard code == SQLITE_OK else {
        throw DatabaseError(resultCode: ResultCode(rawValue: code))
      }
    }
  }
}

import GRDB
import GRDBSQLite
import ObjectModel

/// Looks at a few values of columns, at a cost that does not grow with the table.
struct ColumnSampler {
  private let database: Database
  /// How many looks may still fail for taking too long; views can hide any amount of work.
  private var patience = 3

  /// How many rows are looked at from either end.
  private static let rowCount = 24
  /// How many steps of SQLite's machine a look may take; a table needs a few thousand.
  private static let stepLimit: Int32 = 200_000

  init(_ database: Database) { self.database = database }

  /// Looks at values of some columns of a table.
  ///
  /// - Parameters:
  ///   - columns: The columns.
  ///   - table: Their table.
  /// - Returns: A sample a column; empty ones where the look failed.
  /// - Throws: `DatabaseError`, when the database is damaged or locked.
  mutating func sample(_ columns: [Catalog.Column], of table: Catalog.Table) throws
    -> [ColumnSample]
  {
    var samples = Array(repeating: ColumnSample(), count: columns.count)
    guard !columns.isEmpty, patience > 0 else { return samples }
    // Text is cut so that little is kept, and bytes are counted without being read.
    let expressions = columns.map { column in
      let name = "t." + column.name.quotedDatabaseIdentifier
      return "typeof(\(name)), CASE typeof(\(name)) WHEN 'text' THEN substr(\(name), 1, 40) "
        + "WHEN 'blob' THEN length(\(name)) ELSE \(name) END"
    }
    let select =
      "SELECT \(expressions.joined(separator: ", ")) FROM \(table.name.quotedDatabaseIdentifier) AS t"
    try read(select + " LIMIT \(Self.rowCount)", into: &samples)
    if table.kind == .table, let rowid = table.rowidName {
      try read(select + " ORDER BY t.\(rowid) DESC LIMIT \(Self.rowCount)", into: &samples)
    }
    return samples
  }

  private mutating func read(_ sql: String, into samples: inout [ColumnSample]) throws {
    sqlite3_progress_handler(database.sqliteConnection, Self.stepLimit, { _ in 1 }, nil)
    defer { sqlite3_progress_handler(database.sqliteConnection, 0, nil, nil) }
    do {
      let rows = try Row.fetchCursor(database, sql: sql)
      while let row = try rows.next() {
        for place in samples.indices {
          if let item = Self.item(row, at: place * 2) { samples[place].items.append(item) }
        }
      }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_INTERRUPT {
      patience -= 1
    } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
      // A view or virtual table may be readable in name only; its columns stay of no known type.
      return
    }
  }

  private static func item(_ row: Row, at place: Int) -> ColumnSample.Item? {
    let isBlob = String.fromDatabaseValue(row[place]) == "blob"
    let value: DatabaseValue = row[place + 1]
    switch value.storage {
    case .null, .blob: return nil
    case .int64(let number): return isBlob ? .blob(byteCount: Int(number)) : .integer(number)
    case .double(let number): return .real(number)
    case .string(let text): return .text(text)
    }
  }
}

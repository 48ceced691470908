import GRDB
import GRDBSQLite
import ObjectModel
import SQLQueries

/// Reads sample values of columns, at a cost that does not grow with the table.
struct ColumnSampler {
  private let database: Database
  /// The number of timeouts after which sampling stops; a view can be arbitrarily expensive.
  private var remainingTimeouts = 3

  /// The number of rows read from each end of a table.
  private static let rowCount = 24
  /// The number of virtual machine instructions a query may take; a table needs a few thousand.
  private static let stepLimit: Int32 = 200_000
  /// The size of a value in bytes above which no more is read: a view can make any of nothing.
  private static let valueLimit: Int32 = 1 << 20

  init(_ database: Database) { self.database = database }

  /// Reads values of some columns from the first and the last rows of a table: a sample for each
  /// column, empty if the query failed or took too long.
  ///
  /// - Throws: `DatabaseError` if the database is damaged or locked.
  mutating func sample(_ columns: [Catalog.Column], of table: Catalog.Table) throws
    -> [ColumnSample]
  {
    var samples = Array(repeating: ColumnSample(), count: columns.count)
    guard !columns.isEmpty, remainingTimeouts > 0 else { return samples }
    // Read only the beginning of long text, and only the size of a blob.
    let expressions = columns.map { column in
      let name = "t." + column.name.quotedDatabaseIdentifier
      return "typeof(\(name)), CASE typeof(\(name)) WHEN 'text' THEN substr(\(name), 1, 40) "
        + "WHEN 'blob' THEN length(\(name)) ELSE \(name) END"
    }
    let select =
      "SELECT \(expressions.joined(separator: ", ")) "
      + "FROM \(table.name.quotedDatabaseIdentifier) AS t"
    let isComputed = table.kind != .table || columns.contains(where: \.isGenerated)
    try read(select + " LIMIT \(Self.rowCount)", isComputed: isComputed, into: &samples)
    if table.kind == .table, let rowid = table.rowidName {
      try read(
        select + " ORDER BY t.\(rowid) DESC LIMIT \(Self.rowCount)", isComputed: isComputed,
        into: &samples)
    }
    return samples
  }

  private mutating func read(
    _ sql: String, isComputed: Bool, into samples: inout [ColumnSample]
  ) throws {
    guard let connection = database.sqliteConnection else { return }
    sqlite3_progress_handler(connection, Self.stepLimit, { _ in 1 }, nil)
    // A value in a table is as long as the file at most, and only its beginning is read.
    let limit = sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, -1)
    if isComputed { sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, Self.valueLimit) }
    defer {
      sqlite3_progress_handler(connection, 0, nil, nil)
      sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, limit)
    }
    do {
      let rows = try Row.fetchCursor(database, sql: sql)
      while let row = try rows.next() {
        for index in samples.indices {
          if let item = Self.item(row, at: index * 2) { samples[index].items.append(item) }
        }
      }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_INTERRUPT {
      remainingTimeouts -= 1
    } catch let error as DatabaseError
      where [.SQLITE_ERROR, .SQLITE_TOOBIG].contains(error.resultCode)
    {
      // A view or virtual table may fail to run, for example because a table or module is missing.
      // The types of its columns stay undefined.
      return
    }
  }

  private static func item(_ row: Row, at index: Int) -> ColumnSample.Item? {
    let isBlob = String.fromDatabaseValue(row[index]) == "blob"
    let value: DatabaseValue = row[index + 1]
    switch value.storage {
    case .null, .blob: return nil
    case .int64(let number): return isBlob ? .blob(byteCount: Int(number)) : .integer(number)
    case .double(let number): return .real(number)
    case .string(let text): return .text(text)
    }
  }
}

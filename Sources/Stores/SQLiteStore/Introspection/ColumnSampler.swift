import GRDB
import GRDBSQLite
import ObjectModel
import SQLQueries

/// Reads sample values of columns, at a cost that does not grow with the table.
///
/// Of each table the first and the last rows are read, and some at eight positions between them; of a
/// column that an index begins with also the smallest and the greatest number; of flags the first
/// thousands of rows.
struct ColumnSampler {
  private let database: Database
  /// The number of timeouts after which sampling stops; a view can be arbitrarily expensive.
  private var remainingTimeouts = 3
  /// The number of rows in which flags may still be looked at, in all tables together.
  private var remainingFlagRows = 40_000

  /// The number of rows read from each end of a table.
  private static let rowCount = 24
  /// The number of positions between the ends, and of the rows read at each.
  private static let (positionCount, rowsPerPosition) = (8, 3)
  /// The number of rows of a table in which flags are looked at.
  private static let flagRowCount = 4_096
  /// The number of virtual machine instructions a query may take; a table needs a few thousand.
  private static let stepLimit: Int32 = 200_000
  /// The size of a value in bytes above which no more is read: a view can make any of nothing.
  private static let valueLimit: Int32 = 1 << 20

  init(_ database: Database) { self.database = database }

  /// Reads values of some columns of a table: a sample for each column, empty if the query failed
  /// or took too long.
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
    let rowid = table.kind == .table ? table.rowidName : nil
    let select =
      "SELECT \((expressions + (rowid.map { ["t.\($0)"] } ?? [])).joined(separator: ", ")) "
      + "FROM \(table.name.quotedDatabaseIdentifier) AS t"
      + (table.unknownCollations.isEmpty ? "" : " NOT INDEXED")
    let isComputed = table.kind != .table || columns.contains(where: \.isGenerated)
    func read(_ clause: String, _ arguments: [StatementArguments] = [[]]) throws -> ReadRows {
      try self.read(
        select + clause, arguments, isComputed: isComputed, hasRowid: rowid != nil, into: &samples)
    }
    let first = try read(" LIMIT \(Self.rowCount)")
    guard first.count == Self.rowCount, table.kind == .table else { return samples }
    if let rowid, let start = first.rowids?.upperBound {
      // Rows that were read already are not read again.
      let after = " WHERE t.\(rowid) > ?"
      let last = try read(after + " ORDER BY t.\(rowid) DESC LIMIT \(Self.rowCount)", [[start]])
      if let end = last.rowids?.lowerBound {
        let (gap, overflows) = end.subtractingReportingOverflow(start)
        let step = overflows ? 0 : gap / Int64(Self.positionCount + 1)
        let positions = (1...Int64(Self.positionCount)).map { start + $0 * step }
        _ = try read(
          after + " AND t.\(rowid) < ? LIMIT \(Self.rowsPerPosition)",
          step > 0 ? positions.map { [$0, end] } : [])
      }
    } else if table.isWithoutRowid {
      let key = table.primaryKey.map { "t.\($0.name.quotedDatabaseIdentifier) DESC" }
      _ = try read(" ORDER BY \(key.joined(separator: ", ")) LIMIT \(Self.rowCount)")
    }
    try addBounds(of: columns, in: table, to: &samples)
    return samples
  }

  /// Looks whether columns of flags hold anything else in the first thousands of rows.
  ///
  /// - Parameters:
  ///   - columns: The columns.
  ///   - table: Their table.
  ///   - samples: The samples of the columns, to which one other value of each is added.
  /// - Throws: `DatabaseError` if the database is damaged or locked.
  mutating func addOtherThanFlags(
    in columns: [Catalog.Column], of table: Catalog.Table, to samples: inout [ColumnSample]
  ) throws {
    guard !columns.isEmpty, table.kind == .table, remainingFlagRows > 0, remainingTimeouts > 0
    else { return }
    let rows = min(remainingFlagRows, Self.flagRowCount)
    remainingFlagRows -= rows
    let values = columns.map { "t.\($0.name.quotedDatabaseIdentifier)" }
    let others = values.map { "max(CASE WHEN \($0) NOT IN (0, 1) THEN \($0) END)" }
    _ = try read(
      "SELECT "
        + others.map { "typeof(\($0)), CASE typeof(\($0)) WHEN 'blob' THEN 0 ELSE \($0) END" }
        .joined(separator: ", ")
        + " FROM (SELECT \(values.joined(separator: ", "))"
        + " FROM \(table.name.quotedDatabaseIdentifier) AS t LIMIT \(rows)) AS t",
      isComputed: columns.contains(where: \.isGenerated), hasRowid: false, into: &samples)
  }

  /// Adds the smallest and the greatest number of each column that an index begins with.
  private mutating func addBounds(
    of columns: [Catalog.Column], in table: Catalog.Table, to samples: inout [ColumnSample]
  ) throws {
    for (position, column) in columns.enumerated()
    where table.isIndexed(column.name) && !column.isGenerated {
      let (name, owner) = (
        column.name.quotedDatabaseIdentifier, table.name.quotedDatabaseIdentifier
      )
      // NULL comes before all numbers, and text after them.
      let bounds = ["min", "max"].map {
        "(SELECT \($0)(t.\(name)) FROM \(owner) AS t WHERE t.\(name) > -9e999 AND t.\(name) < '')"
      }
      var two = [ColumnSample(), ColumnSample()]
      _ = try read(
        "SELECT " + bounds.map { "typeof(\($0)), \($0)" }.joined(separator: ", "),
        isComputed: false, hasRowid: false, into: &two)
      for sample in two { samples[position].widen(to: sample) }
    }
  }

  /// What a query read.
  private struct ReadRows {
    var count = 0
    /// The smallest and the greatest rowid; nil for none.
    var rowids: ClosedRange<Int64>?

    mutating func add(_ rowid: Int64?) {
      count += 1
      guard let rowid else { return }
      let known = rowids ?? rowid...rowid
      rowids = min(known.lowerBound, rowid)...max(known.upperBound, rowid)
    }
  }

  private mutating func read(
    _ sql: String, _ arguments: [StatementArguments] = [[]], isComputed: Bool, hasRowid: Bool,
    into samples: inout [ColumnSample]
  ) throws -> ReadRows {
    var result = ReadRows()
    guard let connection = database.sqliteConnection, remainingTimeouts > 0 else { return result }
    sqlite3_progress_handler(connection, Self.stepLimit, { _ in 1 }, nil)
    // A value in a table is as long as the file at most, and only its beginning is read.
    let limit = sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, -1)
    if isComputed { sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, Self.valueLimit) }
    defer {
      sqlite3_progress_handler(connection, 0, nil, nil)
      sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, limit)
    }
    do {
      let statement = try database.makeStatement(sql: sql)
      for arguments in arguments {
        let rows = try Row.fetchCursor(statement, arguments: arguments)
        while let row = try rows.next() {
          result.add(hasRowid ? Int64.fromDatabaseValue(row[samples.count * 2]) : nil)
          for index in samples.indices {
            if let item = Self.item(row, at: index * 2) { samples[index].add(item) }
          }
        }
      }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_INTERRUPT {
      remainingTimeouts -= 1
    } catch let error as DatabaseError
      where [.SQLITE_ERROR, .SQLITE_TOOBIG].contains(error.resultCode)
    {
      // A view or virtual table may fail to run, for example because a table or module is missing.
      // The types of its columns stay undefined.
    }
    return result
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

import ObjectModel
import SQLQueries

/// The integer keys of a table, from the least to the greatest.
struct KeyRange {
  private let least: Int64
  private let greatest: Int64
  /// The estimated number of rows; 0 if it is not known.
  let estimatedCount: Int

  /// Reads the least and the greatest key; nil for a table without an integer key, and for an empty
  /// one.
  ///
  /// - Complexity: Two index lookups.
  /// - Throws: ``StoreError``.
  init?(of table: EntityTable?, on connection: Connection) throws(StoreError) {
    guard let table, case .rowid(let name) = table.key else { return nil }
    let key = SQL.column(name, of: "t")
    let statement = try Statement(
      """
      SELECT (SELECT min(\(key)) FROM \(table.source) t), \
      (SELECT max(\(key)) FROM \(table.source) t)
      """, on: connection, doing: "counting", subject: table.name)
    guard try statement.step(), statement.isInteger(0) else { return nil }
    least = statement.integer(0)
    greatest = statement.integer(1)
    let (span, overflow) = greatest.subtractingReportingOverflow(least)
    // A page contains a few hundred rows at most; keys with wide gaps give no estimate.
    let pages = try connection.number("PRAGMA page_count", doing: "counting")
    let (most, _) = pages.multipliedReportingOverflow(by: 1000)
    estimatedCount = overflow || span < 0 || span >= most ? 0 : Int(span) + 1
  }

  /// The least and the greatest key.
  var bounds: ClosedRange<Int64> { least...greatest }

  /// Both halves of the keys.
  var halves: (KeyCondition, KeyCondition) {
    // Keys may be as far apart as integers can be.
    let middle = least / 2 + greatest / 2
    return (.upTo(middle), .above(middle))
  }
}

/// A part of a table, by its integer key.
enum KeyCondition {
  case upTo(Int64)
  case above(Int64)
  case among([Int64])

  /// The condition; nil for a key of several columns.
  func sql(_ columns: [SQL]) -> SQL? {
    guard columns.count == 1, let key = columns.first else { return nil }
    return switch self {
    case .upTo(let last): "\(key) <= \(last)"
    case .above(let last): "\(key) > \(last)"
    case .among(let keys): "\(key) IN (\(keys.map(Value.integer)))"
    }
  }
}

import CSQLite
import Foundation
import GRDBSQLite
import ObjectModel
import SQLQueries

/// The rows of a table, read from the pages of its b-tree instead of by a statement: see
/// page_scan.c.
///
/// A statement takes a few hundred nanoseconds for a row; this takes some ten, and as many threads
/// share the pages as there are processors. It gives what the statement gives in the same
/// transaction, or says that a statement must read.
final class PageScan {
  /// Why a statement must read the rows.
  enum Obstacle: String, Error {
    case index = "an index finds them"
    case condition = "the condition needs SQL"
    case column = "a value is not in their records"
    case table = "they have no integer keys of their own"
    case file = "another program may be writing, or the file is not as expected"
  }

  /// How reading has ended.
  enum Outcome<Rows> {
    case rows(Rows)
    /// The receivers want no more rows, although they have not enough.
    case notWanted
    /// A statement must read.
    case unreadable
  }

  /// A smaller table, in bytes, is read by one thread: the others would take as long to start.
  private static let leastSize = 4 << 20
  /// The most threads; more would wait for the memory.
  ///
  /// It is asked for once, since the system reads a file to tell it.
  private static let mostThreads = min(ProcessInfo.processInfo.activeProcessorCount, 4)

  private let scan: OpaquePointer
  /// The columns of the rows, then those that only the condition reads.
  private let columns: [cs_column]
  private let selectedCount: Int
  private let indexes: [SQL: Int32]
  private let condition: RowCondition?
  /// The keys that statements of the condition have found, in their order.
  private let keys: [SQL: [Int64]]

  private init(
    _ scan: OpaquePointer, _ columns: [cs_column], selectedCount: Int, _ indexes: [SQL: Int32],
    _ condition: RowCondition?, _ keys: [SQL: [Int64]]
  ) {
    self.scan = scan
    self.columns = columns
    self.selectedCount = selectedCount
    self.indexes = indexes
    self.condition = condition
    self.keys = keys
  }

  /// Opens the pages of a table.
  ///
  /// - Parameters:
  ///   - scope: The table.
  ///   - selected: The columns of the rows.
  ///   - condition: What rows must satisfy; nil for all rows.
  ///   - connection: A connection in a transaction, which must last as long as the scan.
  /// - Returns: The pages, or why a statement must read them.
  /// - Throws: ``StoreError``.
  static func open(
    _ scope: QueryScope, selected: [SQL], where condition: RowCondition?,
    on connection: Connection
  ) throws(StoreError) -> Result<PageScan, Obstacle> {
    let table = scope.table
    guard case .rowid(let key) = table.key, table.uncollated == nil,
      let shape = try connection.schema.shape(key: key, scope, on: connection),
      shape.columns[scope.column(key)]?.place.index == -1
    else { return .failure(.table) }
    let count = try connection.number("PRAGMA page_count", doing: "fetching")
    var indexes: [SQL: Int32] = [:]
    var columns: [cs_column] = []
    let tested = condition.map { $0.columns.subtracting(selected) } ?? []
    for sql in selected + tested {
      guard let column = shape.columns[sql]?.place else { return .failure(.column) }
      indexes[sql] = Int32(columns.count)
      columns.append(column)
    }
    var keys: [SQL: [Int64]] = [:]
    for lookup in condition?.lookups ?? [] where keys[lookup.keys] == nil {
      // SQL would convert other values to compare them with a key.
      guard shape.columns[lookup.column]?.affinity == .numeric else { return .failure(.condition) }
      keys[lookup.keys] = try self.keys(lookup.keys, table.name, on: connection)
    }
    guard let scan = cs_scanOpen(connection.handle, shape.root, shape.pageSize, count) else {
      return .failure(.file)
    }
    return .success(
      PageScan(scan, columns, selectedCount: selected.count, indexes, condition, keys))
  }

  /// The keys that a statement finds, the least one first.
  private static func keys(_ sql: SQL, _ subject: String, on connection: Connection)
    throws(StoreError) -> [Int64]
  {
    let statement = try Statement(sql, on: connection, doing: "fetching", subject: subject)
    var keys: [Int64] = []
    while try statement.step() { keys.append(statement.integer(0)) }
    return keys.sorted()
  }

  deinit { cs_scanClose(scan) }

  /// Reads the rows.
  ///
  /// - Parameters:
  ///   - run: Who watches.
  ///   - make: Makes a receiver without rows, from who watches it and the number of receivers.
  /// - Returns: The rows of all receivers, in the order of their keys.
  func read<Rows: OrderedRows>(
    _ run: FetchRun, making make: (StatementWatch?, _ receivers: Int) -> Rows
  ) -> Outcome<Rows> {
    let count = run.threads ?? (cs_scanSize(scan) < Self.leastSize ? 1 : Self.mostThreads)
    run.progress?.expect(total: run.total, readers: count)
    let receivers = (0..<count).map { make($0 == 0 ? run.progress : nil, count) }
    for receiver in receivers { receiver.isInKeyOrder = true }
    let test = condition.map { RowTest($0, indexes, columns, keys) }
    var states = Array(repeating: CS_SCAN_MISFIT, count: count)
    withExtendedLifetime((receivers, test, run.progress)) {
      columns.withUnsafeBufferPointer { columns in
        var request = cs_request(
          columns: columns.baseAddress, column_count: Int32(columns.count),
          value_count: Int32(selectedCount),
          stored_count: (columns.map(\.index).max() ?? -1) + 1,
          needles: test.flatMap { UnsafePointer($0.needles.baseAddress) },
          needle_count: Int32(test?.needles.count ?? 0),
          tests: test.flatMap { UnsafePointer($0.tests.baseAddress) },
          test_count: Int32(test?.tests.count ?? 0),
          decide: { decisions, index, value in
            guard let decisions, let value else { return 0 }
            let decision = decisions.assumingMemoryBound(to: RowTest.Decision.self) + Int(index)
            return RowTest.holds(decision, ReceivedRow(value)) ? 1 : 0
          },
          decisions: test.flatMap { UnsafeRawPointer($0.decisions.baseAddress) },
          visit: { receiver, values in
            // A reference would be counted for each row.
            guard let receiver, let values else { return 0 }
            return Unmanaged<RowReceiver>.fromOpaque(receiver)._withUnsafeGuaranteedRef {
              $0.receive(ReceivedRow(values)) ? 1 : 0
            }
          },
          watch: { watch, share in
            guard let watch = Unretained<StatementWatch>(pointer: watch).object else { return 1 }
            watch.report(share: share)
            return watch.mustStop ? 0 : 1
          },
          context: run.progress.map { Unretained($0).pointer } ?? nil)
        let parts: [UnsafeMutableRawPointer?] = receivers.map {
          Unmanaged<RowReceiver>.passUnretained($0).toOpaque()
        }
        cs_scanRows(scan, &request, parts, receivers.map(\.bound), Int32(count), &states)
      }
    }
    let rows = receivers[0]
    for (index, state) in states.enumerated() {
      let isWhole = state == CS_SCAN_WHOLE
      guard isWhole || state == CS_SCAN_STOPPED else { return .unreadable }
      guard isWhole || receivers[index].hasEnough else { return .notWanted }
      if index > 0 { rows.append(receivers[index]) }
      if !isWhole { break }
    }
    return .rows(rows)
  }
}

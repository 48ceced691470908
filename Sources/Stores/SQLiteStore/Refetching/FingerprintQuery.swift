import ObjectModel
import SQLQueries

/// What decides on the rows of a fetch and on their order: the keys and the sort keys of the objects
/// that satisfy the predicate, in no order.
struct FingerprintQuery {
  let rows: TableRows

  /// Finds the columns; nil for a fetch with a limit, without an integer key, or by external
  /// values, and if a whole fetch reads no more than this.
  ///
  /// - Parameters:
  ///   - plan: The fetch.
  ///   - compiler: Translates predicate and order.
  /// - Throws: ``StoreError`` if the fetch cannot be translated.
  init?(_ plan: FetchPlan, compiler: QueryCompiler) throws(StoreError) {
    guard plan.limit == nil, plan.offset == 0, Self.isRepeatable(plan.predicate) else {
      return nil
    }
    let scope = try QueryScope(entityName: plan.entityName, layout: compiler.layout)
    guard case .rowid = scope.table.key else { return nil }
    var selected: [SQL] = []
    let object = IDColumns(scope.object, storeIdentifier: compiler.storeIdentifier, in: &selected)
    guard object.isRowid, object.coding != nil else { return nil }
    let identifyingCount = selected.count
    if let key = plan.sectionKey {
      let column = try compiler.sortColumn(key.keyPath, in: scope)
      guard key.agrees(with: plan.sortDescriptors, column.attribute) else { return nil }
    }
    // The section key is the first sort key.
    for descriptor in plan.sortDescriptors {
      let column = try compiler.sortColumn(descriptor.keyPath, in: scope)
      if column.attribute.encoding == .externalData { return nil }
      if column.isRowid(of: scope) { break }
      if !selected.contains(column.sql) { selected.append(column.sql) }
    }
    guard selected.count > identifyingCount || plan.predicate != nil else { return nil }
    rows = TableRows(
      plan: plan, compiler: compiler, scope: scope, selected: selected, receiversTestEntity: false)
  }

  /// Whether a condition says the same of an unchanged row at any time, unlike one with `now()`.
  private static func isRepeatable(_ predicate: ValidatedPredicate?) -> Bool {
    predicate.map { $0.node.computingConstants == $0.node } ?? true
  }
}

/// Adds rows to a fingerprint.
final class FingerprintRows: RowReceiver, OrderedRows {
  // It is changed for each row: see SortRows.
  @exclusivity(unchecked) private(set) var fingerprint: FetchFingerprint
  private let keys: ClosedRange<Int64>
  private let columnCount: Int32
  private let progress: StatementWatch?

  /// Creates no rows.
  ///
  /// - Parameters:
  ///   - fingerprint: One without rows, for the keys.
  ///   - keys: The least and the greatest key of the table.
  ///   - columnCount: The number of columns; the first one is the key.
  ///   - progress: Who is told of the rows.
  init(
    _ fingerprint: FetchFingerprint, keys: ClosedRange<Int64>, columnCount: Int,
    progress: StatementWatch?
  ) {
    self.fingerprint = fingerprint
    self.keys = keys
    self.columnCount = Int32(columnCount)
    self.progress = progress
  }

  /// Takes a row; false for a key outside of the table's.
  override func receive(_ row: ReceivedRow) -> Bool {
    let key = row.integer(0)
    guard keys.contains(key) else { return false }
    var digest = RowDigest()
    digest.add(UInt64(bitPattern: key))
    for column in 1..<columnCount { row.add(column, to: &digest) }
    fingerprint.add(digest.state, key: key)
    if fingerprint.rowCount & 0x3FFF == 0 { progress?.report(delivered: fingerprint.rowCount) }
    return true
  }

  /// Adds the rows of another part of the table.
  func append(_ others: FingerprintRows) { fingerprint.add(others.fingerprint) }
}

import ObjectModel
import SQLQueries

/// The statement that reads what decides on the rows of a fetch and on their order: the keys and
/// the sort keys of the objects that satisfy the predicate, in no order.
struct FingerprintQuery {
  let sql: SQL
  private let columnCount: Int32
  private let subject: String

  /// Makes the statement; nil for a fetch with a limit, without an integer key, or by external
  /// values, and if a whole fetch reads no more than this.
  ///
  /// - Parameters:
  ///   - plan: The fetch.
  ///   - compiler: Translates predicate and order.
  ///   - keys: A part of the table; nil for the whole table.
  /// - Throws: ``StoreError`` if the fetch cannot be translated.
  init?(_ plan: FetchPlan, compiler: QueryCompiler, within keys: KeyCondition? = nil)
    throws(StoreError)
  {
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
    let filter = try FetchQuery.filter(plan, compiler: compiler, scope: scope, within: keys)
    sql = "SELECT \(selected) FROM \(scope.from)\(filter)"
    columnCount = Int32(selected.count)
    subject = plan.entityName
  }

  /// Whether a condition says the same of an unchanged row at any time, unlike one with `now()`.
  private static func isRepeatable(_ predicate: ValidatedPredicate?) -> Bool {
    predicate.map { $0.node.computingConstants == $0.node } ?? true
  }

  /// Reads the rows.
  ///
  /// - Parameters:
  ///   - fingerprint: A fingerprint without rows for the keys of the table.
  ///   - run: The connection, and who watches.
  ///   - readers: How many readers read as many rows each, for the progress.
  /// - Returns: The fingerprint with the rows.
  /// - Throws: ``StoreError``.
  func read(into fingerprint: FetchFingerprint, _ run: FetchRun, readers: Int = 1)
    throws(StoreError) -> FetchFingerprint
  {
    var fingerprint = fingerprint
    let statement = try Statement(sql, on: run.connection, doing: "fetching", subject: subject)
    run.progress?.follow(statement, total: run.total, readers: readers)
    while try statement.step() {
      let key = statement.integer(0)
      var digest = RowDigest()
      digest.add(UInt64(bitPattern: key))
      for column in 1..<columnCount { statement.add(column, to: &digest) }
      fingerprint.add(digest.state, key: key)
      if fingerprint.rowCount & 0x3FFF == 0 {
        run.progress?.report(delivered: fingerprint.rowCount)
      }
    }
    return fingerprint
  }
}

import ObjectModel
import SQLQueries

extension StoreReader {
  /// Fetches ordered object IDs and their sections.
  ///
  /// - Throws: ``StoreError``; its reason is `cancelled` if the control has cancelled the work.
  func fetch(_ plan: FetchPlan, control: FetchControl?, on connection: Connection)
    throws(StoreError) -> FetchedIDs
  {
    let query = try FetchQuery(plan, compiler: compiler)
    let total = try estimatedTotal(plan, on: connection)
    let progress = StatementProgress(control, connection: connection)
    defer { progress?.end() }
    if let order = try OwnOrder(query, compiler: compiler, on: connection),
      let found = try order.fetch(progress, total: total, on: connection)
    {
      return found
    }
    return try fetchInOrder(query, progress, total: total, on: connection)
  }

  /// Fetches with one statement, in the order in which SQLite returns the rows.
  func fetchInOrder(
    _ query: FetchQuery, _ progress: StatementProgress? = nil, total: Int = 0,
    on connection: Connection
  ) throws(StoreError) -> FetchedIDs {
    let statement = try Statement(
      query.sql, on: connection, doing: "fetching", subject: query.plan.entityName)
    progress?.follow(statement, total: total)
    if query.object.isRowid, let coding = query.object.coding {
      if query.object.entity == nil { return try keys(query, statement, progress) }
      if let found = try codes(query, coding, statement, progress) { return found }
      statement.reset()
    }
    return try ids(query, statement, progress)
  }

  /// Counts the objects of a fetch; its order and sections have no effect.
  ///
  /// - Throws: ``StoreError``.
  func count(_ plan: FetchPlan, control: FetchControl?, on connection: Connection)
    throws(StoreError) -> Int
  {
    let sql = try FetchQuery.count(plan, compiler: compiler)
    let statement = try Statement(sql, on: connection, doing: "counting", subject: plan.entityName)
    let progress = StatementProgress(control, connection: connection)
    defer { progress?.end() }
    progress?.follow(statement, total: 0)
    guard try statement.step() else { return 0 }
    return Int(statement.integer(0))
  }

  /// Reads integer keys into one array.
  private func keys(
    _ query: FetchQuery, _ statement: borrowing Statement, _ progress: StatementProgress?
  )
    throws(StoreError) -> FetchedIDs
  {
    var keys: [Int64] = []
    var sections = query.sections
    if let limit = query.plan.limit { keys.reserveCapacity(min(max(limit, 0), 4096)) }
    while try statement.step() {
      keys.append(statement.integer(0))
      try sections?.add(statement, column: query.sectionColumn)
      if keys.count & 0x3FFF == 0 { progress?.report(delivered: keys.count) }
    }
    return FetchedIDs(
      ids: ObjectIDList(
        keys: keys, storeIdentifier: storeIdentifier, entityName: query.plan.entityName),
      sections: sections?.runs ?? [])
  }

  /// Reads integer keys of several entities as codes into one array; nil if a key cannot be coded.
  private func codes(
    _ query: FetchQuery, _ coding: ObjectIDCoding, _ statement: borrowing Statement,
    _ progress: StatementProgress?
  ) throws(StoreError) -> FetchedIDs? {
    var codes: [Int64] = []
    var sections = query.sections
    var entityIndexes = query.object.entityIndexes
    while try statement.step() {
      guard
        let code = coding.code(
          ofKey: statement.integer(0), entityIndex: entityIndexes.next(statement))
      else { return nil }
      codes.append(code)
      try sections?.add(statement, column: query.sectionColumn)
      if codes.count & 0x3FFF == 0 { progress?.report(delivered: codes.count) }
    }
    return FetchedIDs(ids: ObjectIDList(codes: codes, coding), sections: sections?.runs ?? [])
  }

  /// Reads text and composite keys.
  private func ids(
    _ query: FetchQuery, _ statement: borrowing Statement, _ progress: StatementProgress?
  ) throws(StoreError) -> FetchedIDs {
    var ids: [ObjectID] = []
    var sections = query.sections
    while try statement.step() {
      // A row with NULL in its primary key, which SQLite allows, is not an object.
      guard let id = query.object.id(statement) else { continue }
      ids.append(id)
      try sections?.add(statement, column: query.sectionColumn)
      if ids.count & 0xFFF == 0 { progress?.report(delivered: ids.count) }
    }
    return FetchedIDs(ids: ObjectIDList(ids), sections: sections?.runs ?? [])
  }

  /// The estimated number of rows, from the least and the greatest key; 0 if it is not known.
  ///
  /// - Complexity: Two index lookups.
  private func estimatedTotal(_ plan: FetchPlan, on connection: Connection) throws(StoreError)
    -> Int
  {
    guard let table = layout.tables[plan.entityName], case .rowid(let name) = table.key,
      plan.limit == nil
    else { return 0 }
    let key = SQL.column(name, of: "t")
    let statement = try Statement(
      """
      SELECT (SELECT min(\(key)) FROM \(name: table.name) t), \
      (SELECT max(\(key)) FROM \(name: table.name) t), \
      (SELECT page_count FROM pragma_page_count)
      """, on: connection, doing: "counting", subject: plan.entityName)
    guard try statement.step() else { return 0 }
    let (span, overflow) = statement.integer(1).subtractingReportingOverflow(statement.integer(0))
    // A page contains a few hundred rows at most; keys with wide gaps give no estimate.
    let (most, _) = statement.integer(2).multipliedReportingOverflow(by: 1000)
    return overflow || span < 0 || span >= most ? 0 : Int(span) + 1
  }
}

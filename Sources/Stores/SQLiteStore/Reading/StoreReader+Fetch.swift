import ObjectModel
import SQLQueries

extension StoreReader {
  /// Fetches ordered object IDs and their sections.
  ///
  /// - Parameters:
  ///   - plan: The fetch.
  ///   - control: Reports progress, and can cancel the fetch; nil for none.
  ///   - connection: The connection.
  ///   - pool: Where a second reader can be had; nil to read with one.
  ///   - leastRowCount: The least number of rows for what is worth its time only for many.
  /// - Returns: The IDs and sections.
  /// - Throws: ``StoreError``; its reason is `cancelled` if the control has cancelled the work.
  func fetch(
    _ plan: FetchPlan, control: FetchControl?, on connection: Connection,
    besides pool: ConnectionPool? = nil, leastRowCount: Int = FetchMethod.leastRowCount
  ) throws(StoreError) -> FetchedIDs {
    if let place = plan.place { return try fetch(plan, beside: place, control, on: connection) }
    let query = try FetchQuery(plan, compiler: compiler)
    if pool == nil, plan.sortDescriptors.isEmpty, control == nil {
      return try fetchInOrder(query, FetchRun(connection: connection))
    }
    let keys = try KeyRange(of: layout.tables[plan.entityName], on: connection)
    let progress = StatementWatch(control, on: connection)
    defer { progress?.end() }
    let method = try FetchMethod(
      query, QueryPlan(query.search, on: connection), keys: keys,
      leastRowCount: pool == nil ? nil : leastRowCount, compiler: compiler, on: connection)
    let run = FetchRun(
      connection: connection, pool: pool, control: control, progress: progress,
      total: plan.limit == nil ? keys?.estimatedCount ?? 0 : 0)
    // It may turn out not to be possible.
    if case .own(let order, let source) = method, let found = try order.fetch(source, run) {
      return found
    }
    return try fetchInOrder(query, run)
  }

  /// Fetches with one statement, in the order in which SQLite returns the rows.
  ///
  /// - Parameters:
  ///   - query: The statement.
  ///   - run: The connection, and who watches.
  /// - Returns: The IDs and sections.
  /// - Throws: ``StoreError``.
  func fetchInOrder(_ query: FetchQuery, _ run: FetchRun) throws(StoreError)
    -> FetchedIDs
  {
    let progress = run.progress
    let statement = try Statement(
      query.sql, on: run.connection, doing: "fetching", subject: query.plan.entityName)
    progress?.follow(statement, total: run.total)
    if query.object.isRowid, let coding = query.object.coding {
      guard let entityIndexes = query.object.entityIndexes else {
        return try keys(query, statement, progress)
      }
      if let found = try codes(query, coding, entityIndexes, statement, progress) {
        return found
      }
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
    let progress = StatementWatch(control, on: connection)
    defer { progress?.end() }
    var count = 0
    for step in try steps(of: plan) {
      let sql = try FetchQuery.count(plan, compiler: compiler, step: step)
      let statement = try Statement(
        sql, on: connection, doing: "counting", subject: plan.entityName)
      progress?.follow(statement, total: 0)
      if try statement.step() { count += Int(statement.integer(0)) }
    }
    return count
  }

  /// Reads integer keys into one array.
  private func keys(
    _ query: FetchQuery, _ statement: borrowing Statement, _ progress: StatementWatch?
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
    _ query: FetchQuery, _ coding: ObjectIDCoding, _ entityIndexes: EntityIndexes,
    _ statement: borrowing Statement, _ progress: StatementWatch?
  ) throws(StoreError) -> FetchedIDs? {
    var codes: [Int64] = []
    var sections = query.sections
    while try statement.step() {
      guard
        let code = coding.code(
          ofKey: statement.integer(0), entityIndex: entityIndexes.index(statement) ?? 0)
      else { return nil }
      codes.append(code)
      try sections?.add(statement, column: query.sectionColumn)
      if codes.count & 0x3FFF == 0 { progress?.report(delivered: codes.count) }
    }
    return FetchedIDs(ids: ObjectIDList(codes: codes, coding), sections: sections?.runs ?? [])
  }

  /// Reads text and composite keys.
  private func ids(
    _ query: FetchQuery, _ statement: borrowing Statement, _ progress: StatementWatch?
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
}

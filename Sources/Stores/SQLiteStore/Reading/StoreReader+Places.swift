package import ObjectModel
import SQLQueries

extension StoreReader {
  /// The parts of a fetch beside the plan's place, one after the other; one that is nil without one.
  func steps(of plan: FetchPlan) throws(StoreError) -> [OrderStep?] {
    guard let place = plan.place else { return [nil] }
    let scope = try QueryScope(entityName: plan.entityName, layout: compiler.layout)
    return try compiler.orderTerms(of: plan, in: scope)
      .steps(beside: place, isReversed: plan.isFromEnd)
  }

  /// Fetches the objects beside a place: one part after the other, until there are enough.
  func fetch(
    _ plan: FetchPlan, beside place: FetchPlace, _ control: FetchControl?,
    on connection: Connection
  ) throws(StoreError) -> FetchedIDs {
    let progress = StatementWatch(control, on: connection)
    defer { progress?.end() }
    let run = FetchRun(connection: connection, control: control, progress: progress)
    var found = FetchedIDs(ids: ObjectIDList([]))
    for step in try steps(of: plan) {
      var rest = plan
      rest.limit = plan.limit.map { $0 - found.ids.count }
      guard rest.limit ?? 1 > 0 else { break }
      let part = try fetchInOrder(FetchQuery(rest, compiler: compiler, step: step), run)
      found = plan.isFromEnd ? part.joined(found) : found.joined(part)
    }
    return found
  }

  /// What the terms of an order are for an object; nil if it does not exist.
  ///
  /// - Parameters:
  ///   - id: The object.
  ///   - plan: The order.
  ///   - isOfSection: Whether only the terms of the first sort descriptor are read.
  ///   - connection: The connection.
  /// - Returns: The stored values.
  /// - Throws: ``StoreError``.
  func terms(of id: ObjectID, in plan: FetchPlan, isOfSection: Bool, on connection: Connection)
    throws(StoreError) -> [Value]?
  {
    let scope = try QueryScope(entityName: plan.entityName, layout: compiler.layout)
    var terms = try compiler.orderTerms(of: plan, in: scope)
    if isOfSection { terms = terms.filter { $0.descriptor == 0 } }
    guard id.storeIdentifier == storeIdentifier, !id.isTemporary else { return nil }
    let statement = try Statement(
      """
      SELECT \(terms.map(\.sql)) FROM \(scope.from)\(where: [scope.condition(keys: [id.key])])
      """, on: connection, doing: "fetching", subject: plan.entityName)
    guard try statement.step() else { return nil }
    return terms.indices.map { statement.value(Int32($0)) }
  }

  /// Some objects of a table that lie evenly among its integer keys, in the order of a plan.
  ///
  /// - Parameters:
  ///   - count: How many at most.
  ///   - plan: The order; its predicate is not used.
  ///   - connection: The connection.
  /// - Returns: The objects; empty for a table without integer keys.
  /// - Throws: ``StoreError``.
  func sample(_ count: Int, of plan: FetchPlan, on connection: Connection) throws(StoreError)
    -> ObjectIDList
  {
    guard let table = layout.tables[plan.entityName], case .rowid(let name) = table.key,
      let range = try KeyRange(of: table, on: connection)
    else { return ObjectIDList([]) }
    let key = SQL.column(name, of: "t")
    var keys: Set<Int64> = []
    for start in range.bounds.sampled(count) {
      let statement = try Statement(
        "SELECT \(key) FROM \(table.source) t WHERE \(key) >= \(start) ORDER BY \(key) LIMIT 1",
        on: connection, doing: "fetching", subject: plan.entityName)
      if try statement.step() { keys.insert(statement.integer(0)) }
    }
    let ordered = FetchPlan(
      entityName: plan.entityName, includesSubentities: plan.includesSubentities,
      sortDescriptors: plan.sortDescriptors)
    return try fetchInOrder(
      FetchQuery(ordered, compiler: compiler, within: .among(keys.sorted())),
      FetchRun(connection: connection)
    ).ids
  }
}

extension SQLiteStore: PlaceFetching {
  /// How many objects tell how the values of a key are distributed: for 3 rows in 100.
  private static let sampleCount = 400

  package func survey(_ plan: FetchPlan) throws(StoreError) -> ListSurvey? {
    var plan = plan
    (plan.limit, plan.offset, plan.place) = (1, 0, nil)
    return try read(doing: "fetching \(plan.entityName)") { connection throws(StoreError) in
      guard let table = layout.tables[plan.entityName], table.key != .none else { return nil }
      let scope = try QueryScope(entityName: plan.entityName, layout: layout)
      let count = try reader.estimatedCount(of: table, on: connection)
      let isWhole =
        plan.predicate == nil
        && !scope.selectsEntity(includingSubentities: plan.includesSubentities)
      let isLong = isWhole && count ?? 0 >= ListSurvey.leastWindowedCount
      let isForWindows = isLong ? try reader.hasIndexedOrder(plan, on: connection) : false
      return ListSurvey(
        estimatedCount: isWhole ? count : nil, isForWindows: isForWindows)
    }
  }

  package func place(of id: ObjectID, in plan: FetchPlan, isAfter: Bool, isOfSection: Bool)
    throws(StoreError) -> FetchPlace?
  {
    try read(doing: "fetching \(plan.entityName)") { connection throws(StoreError) in
      try reader.terms(of: id, in: plan, isOfSection: isOfSection, on: connection)
    }.map { FetchPlace(terms: $0, isAfter: isAfter) }
  }

  package func objectID(at part: Double, of plan: FetchPlan) throws(StoreError) -> ObjectID? {
    guard plan.predicate == nil else { return nil }
    return try read(doing: "fetching \(plan.entityName)") { connection throws(StoreError) in
      let sample = try reader.sample(Self.sampleCount, of: plan, on: connection)
      guard !sample.isEmpty else { return nil }
      return sample[min(max(Int(Double(sample.count) * part), 0), sample.count - 1)]
    }
  }
}

extension StoreReader {
  /// About how many rows a table has: as ANALYZE has counted them, or by its integer keys; nil if
  /// that is not known.
  fileprivate func estimatedCount(of table: EntityTable, on connection: Connection)
    throws(StoreError) -> Int?
  {
    let tables = try connection.rows(
      "SELECT 1 FROM sqlite_master WHERE name = 'sqlite_stat1'", doing: "counting")
    if !tables.isEmpty {
      let rows = try connection.rows(
        "SELECT stat FROM sqlite_stat1 WHERE tbl = \(.value(.string(table.name)))",
        doing: "counting")
      let counts = rows.compactMap { $0[0].text?.split(separator: " ").first.flatMap { Int($0) } }
      // An index on a part of the rows has fewer.
      if let most = counts.max() { return most }
    }
    guard let count = try KeyRange(of: table, on: connection)?.estimatedCount else { return nil }
    return count == 0 ? nil : count
  }

  /// Whether an index, or the table itself, has the order of a plan in both directions, so that no
  /// row is sorted.
  ///
  /// Rows with one value may be sorted by their keys, if few have the same.
  fileprivate func hasIndexedOrder(_ plan: FetchPlan, on connection: Connection)
    throws(StoreError) -> Bool
  {
    var sortsSome = false
    for isFromEnd in [false, true] {
      var plan = plan
      plan.isFromEnd = isFromEnd
      plan.place = isFromEnd ? .end : .start
      for step in try steps(of: plan) {
        let query = try FetchQuery(plan, compiler: compiler, step: step)
        let lines = try QueryPlan(query.search, on: connection).lines
        if lines.contains(where: { $0 == "USE TEMP B-TREE FOR ORDER BY" }) { return false }
        sortsSome = sortsSome || lines.contains { $0.hasPrefix("USE TEMP B-TREE") }
      }
    }
    guard sortsSome, let first = plan.sortDescriptors.first else { return true }
    let sample = Array(try sample(64, of: plan, on: connection))
    let entity = layout.model.entity(named: plan.entityName)
    guard let index = entity?.attributeIndex(first.keyPath) else { return false }
    let values = Set(try rows(of: sample, on: connection).compactMap { $0?.values[index] })
    return values.count > sample.count / 2
  }
}

package import ObjectModel
import SQLQueries

extension PostgreSQLStore: PlaceFetching {
  /// How many objects tell how the values of a key are distributed.
  private static let sampleCount = 400
  /// The greatest part of the rows that have one value for which it is the place of all of them.
  private static let greatestShare = 0.02

  package func survey(_ plan: FetchPlan) throws(StoreError) -> ListSurvey? {
    var plan = plan
    (plan.limit, plan.offset, plan.place) = (nil, 0, nil)
    let question = try ServerQuestion(plan, of: self)
    guard question.isWhole, schema.layout.tables[plan.entityName]?.key != EntityTable.Key.none,
      question.order(try question.sorts()) != nil
    else { return nil }
    return try pool.read { connection throws(StoreError) in
      let count = try question.estimatedCount(on: connection)
      let isLong = count ?? 0 >= ListSurvey.leastWindowedCount
      return ListSurvey(
        estimatedCount: count,
        isForWindows: isLong ? try question.isLookedUp(on: connection) : false)
    }
  }

  package func place(of id: ObjectID, in plan: FetchPlan, isAfter: Bool, isOfSection: Bool)
    throws(StoreError) -> FetchPlace?
  {
    var plan = plan
    (plan.predicate, plan.place) = (nil, nil)
    let question = try ServerQuestion(plan, of: self)
    return try pool.read { connection throws(StoreError) in
      try question.terms(of: id, isOfSection: isOfSection, on: connection)
    }.map { FetchPlace(terms: $0, isAfter: isAfter) }
  }

  package var isShared: Bool { true }

  package func place(at text: String, in plan: FetchPlan) throws(StoreError) -> FetchPlace? {
    var plan = plan
    (plan.predicate, plan.place) = (nil, nil)
    guard let value = try Value.string(text).serverText(doing: "fetching") else { return nil }
    return try ServerQuestion(plan, of: self).place(at: .string(value))
  }

  package func comparisons(of attributeName: String, in entityName: String)
    -> [FetchSortDescriptor.Comparison]?
  {
    guard let index = model.entity(named: entityName)?.attributeIndex(attributeName),
      case .text(_, let collations)? = schema.tables[entityName]?.types[index]
    else { return nil }
    let own = schema.collations.own
    return collations.indexed.map { .collation($0.collation) } + [.binary]
      + (own.comparesBytes ? [] : [.collation(own.collation)])
  }

  /// Finds it by what ANALYZE knows of the first sort key; where many rows have one value, or nothing is
  /// known, by objects that lie evenly among the integer keys.
  package func objectID(at part: Double, of plan: FetchPlan) throws(StoreError) -> ObjectID? {
    var plan = plan
    (plan.limit, plan.offset, plan.place, plan.isFromEnd, plan.sectionKey) = (1, 0, nil, false, nil)
    let question = try ServerQuestion(plan, of: self)
    return try pool.read { connection throws(StoreError) in
      let value = try question.value(at: part, on: connection)
      if value == nil || value?.share ?? 0 > Self.greatestShare {
        let sample = try question.sample(Self.sampleCount, on: connection)
        if !sample.isEmpty {
          plan.limit = nil
          plan.predicate = try validated([.among(sample)], for: plan)
          let ids = try ServerQuestion(plan, of: self).fetch(on: connection, control: nil).ids
          if !ids.isEmpty {
            return ids[min(max(Int(Double(ids.count) * part), 0), ids.count - 1)]
          }
        }
      }
      guard let value else { return nil }
      plan.place = value.place
      return try ServerQuestion(plan, of: self).fetch(on: connection, control: nil).ids.first
    }
  }

  package func sectionStarts(of plan: FetchPlan, limit: Int, control: FetchControl?)
    throws(StoreError) -> FetchedIDs?
  {
    var plan = plan
    (plan.limit, plan.offset, plan.place, plan.isFromEnd) = (nil, 0, nil, false)
    let question = try ServerQuestion(plan, of: self)
    return try pool.read { connection throws(StoreError) in
      try question.sectionStarts(limit, on: connection, control)
    }
  }

  /// Looks matches beside a place up whose predicate the server knows only in part: some rows after
  /// the others, until there are enough.
  func matches(beside place: FetchPlace, of plan: FetchPlan, control: FetchControl?)
    throws(StoreError) -> FetchedIDs
  {
    var found = FetchedIDs(ids: list([], of: plan.entityName))
    var rows = plan
    (rows.sectionKey, rows.limit) = (nil, 1_000)
    while true {
      let near = try pool.read { connection throws(StoreError) in
        try ServerQuestion(rows, of: self).fetch(on: connection, control: limit(control)).ids
      }
      var matching = plan
      (matching.place, matching.limit) = (nil, plan.limit.map { $0 - found.ids.count })
      matching.predicate = try validated(
        [plan.predicate?.predicate, .among(Array(near))].compactMap(\.self), for: plan)
      let matches = try evaluation(of: matching, control: control).fetched
      found = plan.isFromEnd ? matches.joined(found) : found.joined(matches)
      guard near.count == rows.limit, found.ids.count < plan.limit ?? .max,
        let last = plan.isFromEnd ? near.first : near.last,
        let next = try self.place(of: last, in: rows, isAfter: !plan.isFromEnd, isOfSection: false)
      else { return found }
      (rows.place, rows.limit) = (next, min(2 * near.count, 16_000))
    }
  }

  private func validated(_ predicates: [FetchPredicate], for plan: FetchPlan) throws(StoreError)
    -> ValidatedPredicate
  {
    do {
      return try FetchPredicate.all(predicates).validated(forEntity: plan.entityName, in: model)
    } catch {
      throw StoreError(
        .unknownName, doing: "fetching", subject: plan.entityName, detail: error.description)
    }
  }
}

extension FetchPredicate {
  /// That an object is one of some.
  fileprivate static func among(_ ids: [ObjectID]) -> FetchPredicate {
    FetchPredicate(.comparison(.init(.selfObject, .in, .list(ids.map { .object($0) }))))
  }
}

extension ServerQuestion {
  /// The value of the first sort key before which about a part of the rows is, with the part that has it;
  /// nil if nothing is known.
  fileprivate func value(at part: Double, on connection: ServerConnection) throws(StoreError)
    -> (place: FetchPlace, share: Double)?
  {
    guard plan.predicate == nil, let sort = plan.sortDescriptors.first,
      let table = store.schema.layout.tables[plan.entityName],
      let index = scope.entity.attributeIndex(sort.keyPath),
      let types = store.schema.tables[plan.entityName]
    else { return nil }
    let value = ServerOperand(
      sql: "b.value::\(SQL(schema: types.typeNames[index]))", type: types.types[index])
    guard
      let compared = value.order(sort, 0, mayBeNull: false, in: store.schema)?.last?.sql
    else { return nil }
    let direction: SQL = sort.ascending ? "NULLS FIRST" : "DESC NULLS LAST"
    var reached = 0.0
    var found: (value: Value, share: Double)?
    // The most frequent values; the borders of parts of the same size of all others; NULL.
    try connection.run(
      """
      WITH s AS (SELECT null_frac, most_common_vals::text::text[] v, most_common_freqs f, \
      histogram_bounds::text::text[] h FROM pg_stats \
      WHERE schemaname = \(Value.string(table.schema ?? "public")) \
      AND tablename = \(Value.string(table.name)) \
      AND attname = \(Value.string(table.columns[index])) ORDER BY inherited DESC LIMIT 1), \
      b(value, share) AS (SELECT unnest(v), unnest(f) FROM s \
      UNION ALL SELECT unnest(h), (1 - null_frac - coalesce((SELECT sum(p) FROM unnest(f) p), 0)) \
      / array_length(h, 1) FROM s \
      UNION ALL SELECT NULL, null_frac FROM s) \
      SELECT b.value, b.share FROM b ORDER BY \(compared) \(direction)
      """, doing: "fetching"
    ) { row in
      let share = row.text(1).flatMap { Double($0) } ?? 0
      if reached <= part, share > 0 {
        found = (row.text(0).map(Value.string) ?? .null, share)
      }
      reached += share
    }
    guard let found else { return nil }
    return (try place(at: found.value), found.share)
  }

  /// The place before all rows with a value of the first sort key.
  fileprivate func place(at value: Value) throws(StoreError) -> FetchPlace {
    let values = try placeTerms().prefix { $0.descriptor == 0 }.map { term -> Value in
      guard term.isCondition else { return value }
      // Of what is no date, or no number, little is known: these rows are at an end.
      return .bool(term.constantWhen.map { !$0 } ?? !value.isNull)
    }
    return FetchPlace(terms: values, isAfter: false)
  }

  /// Some objects of the list that lie evenly among the integer keys of their table; empty if it has
  /// none.
  fileprivate func sample(_ count: Int, on connection: ServerConnection) throws(StoreError)
    -> [ObjectID]
  {
    guard case .rowid = scope.table.key, let key = scope.keyColumns.first else { return [] }
    var range: ClosedRange<Int64>?
    try connection.run("SELECT min(\(key)), max(\(key)) FROM \(scope.from)", doing: "fetching") {
      row in
      if let low = row.integer(0), let high = row.integer(1) { range = low...high }
    }
    guard let range else { return [] }
    let starts = try ServerArray.text(range.sampled(count).map(Value.integer))
    var keys: Set<Int64> = []
    try connection.run(
      """
      SELECT k.key FROM unnest(\(Value.string(starts))::bigint[]) s(start) CROSS JOIN LATERAL \
      (SELECT \(key) AS key FROM \(scope.from)\(where: [condition, "\(key) >= s.start"]) \
      ORDER BY \(key) LIMIT 1) k
      """, doing: "fetching"
    ) { row in if let key = row.integer(0) { keys.insert(key) } }
    let idScope = ObjectIDScope.of(
      storeIdentifier: store.identifier, entityName: plan.entityName)
    return keys.map { ObjectID(idScope, key: .integer($0)) }
  }
}

import ObjectModel
import SQLQueries

/// Rows beside a place of an order, which the server looks up in an index.
extension ServerQuestion {
  /// The parts of the rows beside the plan's place; one of all rows without one.
  func steps() throws(StoreError) -> [OrderStep] {
    guard let place = plan.place else { return [OrderStep()] }
    return try placeTerms().steps(beside: place, isReversed: plan.isFromEnd)
  }

  /// What the order compares.
  ///
  /// - Throws: ``StoreError`` if the server cannot order as we do.
  func placeTerms() throws(StoreError) -> [OrderTerm] {
    guard let terms = order(try sorts()) else {
      throw scope.unsupported("the server has another order")
    }
    return terms
  }

  /// What follows FROM in the statement of a part of the rows.
  func tail(of step: OrderStep, _ terms: [OrderTerm], limit: Int?) -> SQL {
    // Within a part NULLs are not beside values: the server's own place for them keeps its indexes.
    let rest = terms.indices.dropFirst(step.constantCount).map { index -> SQL in
      let sql = terms.compared(at: index, from: step.constantCount)
      return terms[index].ascending == plan.isFromEnd ? "\(sql) DESC" : sql
    }
    let order: SQL = rest.isEmpty ? "" : " ORDER BY \(rest)"
    let window: SQL = limit.map { " LIMIT \(number: max($0, 0))" } ?? ""
    return "\(where: [condition] + step.conditions)\(order)\(window)"
  }

  /// What the terms of the order are for an object, or those of the first sort descriptor if
  /// `isOfSection`; nil if it does not exist.
  func terms(of id: ObjectID, isOfSection: Bool, on connection: ServerConnection)
    throws(StoreError) -> [Value]?
  {
    var terms = try placeTerms()
    if isOfSection { terms = terms.filter { $0.descriptor == 0 } }
    guard id.storeIdentifier == store.identifier,
      let key = store.schema.keys(of: [id], plan.entityName).first
    else { return nil }
    let condition = try QueryScope.condition(
      scope.keyColumns, in: [key], types: store.schema.keyTypeNames(of: plan.entityName))
    var values: [Value]?
    try connection.run(
      "SELECT \(terms.map(\.sql)) FROM \(scope.from) WHERE \(condition)", doing: "fetching"
    ) { row in
      values = terms.enumerated().map { index, term in
        term.isCondition ? .bool(row.flag(index)) : row.text(index).map(Value.string) ?? .null
      }
    }
    return values
  }

  /// Finds the first object of each section by a loose index scan: a recursive query that goes on from
  /// each value to the next one.
  func sectionStarts(_ limit: Int, on connection: ServerConnection, _ control: FetchControl?)
    throws(StoreError) -> FetchedIDs?
  {
    guard let key = plan.sectionKey else { return nil }
    let (section, terms) = (try column(at: key.keyPath), try placeTerms())
    let own = terms.prefix { $0.descriptor == 0 }
    let keyTypes = store.schema.keyTypes(of: plan.entityName)
    let idScope = ObjectIDScope.of(
      storeIdentifier: store.identifier, entityName: plan.entityName)
    var ids: [ObjectID] = []
    var values: [Value] = []
    for step in Array(own).steps(beside: .start, isReversed: false) where ids.count < limit {
      // Where all rows are equal there is one section.
      let term = own.dropFirst(step.constantCount).first
      let value = term?.sql ?? "NULL::text"
      let selected: [SQL] = scope.keyColumns + [section.selected, value]
      let columns = selected.indices.map { SQL(schema: "c\($0)") }
      let last = columns[selected.count - 1]
      var next = step
      next.conditions.append(
        term.map { term -> SQL in
          let sign: SQL = term.ascending ? ">" : "<"
          return "\(term.sql) \(sign) s.\(last)"
        } ?? "FALSE")
      try connection.run(
        """
        WITH RECURSIVE s(\(columns)) AS (\
        (SELECT \(selected) FROM \(scope.from)\(tail(of: step, terms, limit: 1))) \
        UNION ALL SELECT n.* FROM s CROSS JOIN LATERAL \
        (SELECT \(selected) FROM \(scope.from)\(tail(of: next, terms, limit: 1))) n) \
        SELECT \(columns) FROM s LIMIT \(number: limit - ids.count)
        """, doing: "fetching", control: control
      ) { row in
        guard let key = store.schema.key(row, from: 0, keyTypes) else { return }
        ids.append(ObjectID(idScope, key: key))
        values.append(section.value(row, keyTypes.count))
      }
    }
    return FetchedIDs(
      ids: store.list(ids, of: plan.entityName),
      sections: key.runs(
        of: values.lazy.map { ($0, section.attribute) }, plan.sortDescriptors))
  }

  // MARK: What the server expects

  /// About how many rows the server expects.
  func estimatedCount(on connection: ServerConnection) throws(StoreError) -> Int? {
    try estimate(
      "SELECT \(scope.keyColumns) FROM \(scope.from)\(where: [condition])", connection)?.rows
  }

  /// The most that the server may expect some rows at an end of the list to cost: about a hundred
  /// pages read at random.
  private static let greatestCost = 10_000.0

  /// Whether the server expects to look the rows at both ends up, without reading or sorting all.
  func isLookedUp(on connection: ServerConnection) throws(StoreError) -> Bool {
    var parts: [SQL] = []
    for isFromEnd in [false, true] {
      var plan = plan
      (plan.isFromEnd, plan.place) = (isFromEnd, isFromEnd ? .end : .start)
      let question = try ServerQuestion(plan, of: store)
      let terms = try question.placeTerms()
      for step in try question.steps() {
        let tail = question.tail(of: step, terms, limit: 100)
        parts.append("(SELECT \(question.scope.keyColumns) FROM \(question.scope.from)\(tail))")
      }
    }
    guard let cost = try estimate(parts.joined(" UNION ALL "), connection)?.cost else {
      return false
    }
    return cost <= Self.greatestCost
  }

  private func estimate(_ sql: SQL, _ connection: ServerConnection) throws(StoreError) -> (
    cost: Double, rows: Int
  )? {
    var first: String?
    try connection.run("EXPLAIN \(sql)", doing: "fetching") { row in
      first = first ?? row.text(0)
    }
    guard let match = first?.firstMatch(of: #/cost=[\d.]+\.\.([\d.]+) rows=(\d+)/#),
      let cost = Double(match.1), let rows = Int(match.2)
    else { return nil }
    return (cost, rows)
  }
}

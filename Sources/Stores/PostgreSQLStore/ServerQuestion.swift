import ObjectModel
import SQLQueries

/// What the server is asked for a fetch.
struct ServerQuestion {
  /// An attribute at the end of a key path, by which rows are ordered or divided.
  struct Column {
    let operand: ServerOperand
    let attribute: AttributeDescription

    var selected: SQL { operand.type.selected(operand.sql) }

    func value(_ row: ServerRow, _ index: Int) -> Value {
      attribute.decode(operand.type.value(row, index))
    }
  }

  /// How rows are ordered and divided.
  struct Arrangement {
    /// The terms that the server orders by; nil if the rows are ordered here.
    let order: [OrderTerm]?
    /// The columns that they are ordered by here; empty if the server orders them.
    let ownOrder: [Column]
    let section: Column?
  }

  let plan: FetchPlan
  let store: PostgreSQLStore
  let scope: QueryScope
  private let predicate: FetchPredicate.Node?
  /// What of the predicate the server knows; nil for nothing.
  let condition: SQL?

  /// What of the predicate the server does not know; nil for nothing.
  let rest: FetchPredicate.Node?
  /// Whether the server knows the whole predicate.
  var isWhole: Bool { rest == nil }

  init(_ plan: FetchPlan, of store: PostgreSQLStore) throws(StoreError) {
    (self.plan, self.store) = (plan, store)
    predicate = try plan.checkedPredicate(in: store.model)
    scope = try QueryScope(entityName: plan.entityName, layout: store.schema.layout)
    guard let predicate else {
      (condition, rest) = (nil, nil)
      return
    }
    (condition, rest) = try ServerCondition(
      schema: store.schema, storeIdentifier: store.identifier, scope: scope
    ).split(predicate)
  }

  // MARK: The server knows the predicate

  func count(on connection: ServerConnection, control: FetchControl?) throws(StoreError) -> Int {
    var count = 0
    for step in try steps() {
      try connection.run(
        "SELECT count(*) FROM \(scope.from)\(where: [condition] + step.conditions)",
        doing: "counting", control: control
      ) { row in count += Int(row.integer(0) ?? 0) }
    }
    return count
  }

  /// Fetches keys in order; what the server cannot order as we do is ordered here.
  func fetch(on connection: ServerConnection, control: FetchControl?) throws(StoreError)
    -> FetchedIDs
  {
    let arrangement = try arrangement()
    let (order, ownOrder, section) = (
      arrangement.order, arrangement.ownOrder, arrangement.section
    )
    let keyTypes = store.schema.keyTypes(of: plan.entityName)
    let idScope = ObjectIDScope.of(
      storeIdentifier: store.identifier, entityName: plan.entityName)
    var ids: [ObjectID] = []
    var columns = plan.sortDescriptors.map(SortValueColumn.init)
    var sectionValues: [Value] = []
    for statement in try statements(arrangement) {
      let missing = plan.limit.map { max($0, 0) - ids.count }
      if missing ?? 1 <= 0 { break }
      try connection.run(statement(missing), doing: "fetching", control: control) { row in
        guard let key = store.schema.key(row, from: 0, keyTypes) else { return }
        ids.append(ObjectID(idScope, key: key))
        for (index, column) in ownOrder.enumerated() {
          columns[index].append(
            column.value(row, keyTypes.count + index), of: column.attribute)
        }
        if let section {
          sectionValues.append(section.value(row, keyTypes.count + ownOrder.count))
        }
        if ids.count.isMultiple(of: 1_000) { control?.report(completed: ids.count, total: 0) }
      }
    }
    if order != nil && plan.isFromEnd {
      ids.reverse()
      sectionValues.reverse()
    }
    if order == nil {
      // The rows come by key, and what is equal stays so.
      let sorted = ids.indices.sorted { left, right in
        for column in columns {
          let order = column.compare(left, right, in: column)
          if order != 0 { return order < 0 }
        }
        return left < right
      }[plan.window(of: ids.count)]
      if section != nil { sectionValues = sorted.map { sectionValues[$0] } }
      ids = sorted.map { ids[$0] }
    }
    let runs = plan.sectionKey?.runs(
      of: sectionValues.lazy.map { ($0, section?.attribute) }, plan.sortDescriptors)
    return FetchedIDs(ids: store.list(ids, of: plan.entityName), sections: runs ?? [])
  }

  /// How rows are ordered and divided: by the server, or here, by the values of columns.
  func arrangement() throws(StoreError) -> Arrangement {
    let sorts = try sorts()
    let order = order(sorts)
    return Arrangement(
      order: order, ownOrder: order == nil ? sorts : [],
      section: try plan.sectionKey.map { key throws(StoreError) in try column(at: key.keyPath) })
  }

  /// The statements of the fetch, given how many rows are missing: one, or one for each part of the
  /// rows beside a place.
  func statements(_ arrangement: Arrangement) throws(StoreError) -> [(_ missing: Int?) -> SQL] {
    let selected =
      scope.keyColumns + arrangement.ownOrder.map(\.selected)
      + (arrangement.section.map { [$0.selected] } ?? [])
    return try tails(arrangement.order).map { tail in
      { "SELECT \(selected) FROM \(scope.from)\(tail($0))" }
    }
  }

  /// What follows FROM in the statements of the fetch.
  private func tails(_ order: [OrderTerm]?) throws(StoreError) -> [(_ missing: Int?) -> SQL] {
    let terms = order ?? store.keyOrder(scope)
    let isReversed = order != nil && plan.isFromEnd
    // The first and the last rows are looked up beside an end of the list: ORDER BY … NULLS FIRST
    // would sort all rows, because an index has NULLs at its other end.
    let isAtEnd = order != nil && plan.limit != nil && plan.offset == 0
    guard let place = plan.place ?? (isAtEnd ? plan.isFromEnd ? .end : .start : nil) else {
      let offset: SQL = plan.offset > 0 ? " OFFSET \(number: plan.offset)" : ""
      return [
        { missing in
          let limit: SQL = missing.map { " LIMIT \(number: $0)" } ?? ""
          let window: SQL = order == nil ? "" : "\(limit)\(offset)"
          return "\(where: [condition]) ORDER BY \(terms.onServer(isReversed: isReversed))\(window)"
        }
      ]
    }
    return terms.steps(beside: place, isReversed: plan.isFromEnd).map { step in
      { missing in tail(of: step, terms, limit: missing) }
    }
  }

  func sorts() throws(StoreError) -> [Column] {
    try plan.sortDescriptors.map { sort throws(StoreError) in try column(at: sort.keyPath) }
  }

  func column(at keyPath: String) throws(StoreError) -> Column {
    let condition = ServerCondition(
      schema: store.schema, storeIdentifier: store.identifier, scope: scope)
    guard let path = KeyPathText.components(of: keyPath),
      case .attribute(let column) = try scope.follow(path),
      let operand = condition.operand(column, at: path)
    else {
      throw scope.unsupported("“\(keyPath)” is not an attribute: objects cannot be sorted by it")
    }
    return Column(operand: operand, attribute: column.attribute)
  }

  /// What the order compares, and the key, which makes it total; nil if the order is made here.
  func order(_ columns: [Column]) -> [OrderTerm]? {
    var terms: [OrderTerm] = []
    for (index, (sort, column)) in zip(plan.sortDescriptors, columns).enumerated() {
      let isKey = scope.entity.keyAttributes == [sort.keyPath]
      let isOwn = scope.entity.attribute(named: sort.keyPath) != nil
      guard
        let own = column.operand.order(
          sort, index, mayBeNull: !isOwn || column.attribute.isOptional && !isKey,
          in: store.schema)
      else { return nil }
      terms += own
      // The key is unique: further terms have no effect.
      if isKey { return terms }
    }
    return terms + store.keyOrder(scope)
  }

  // MARK: A part of the predicate stays here

  /// The rows that the server's part of the predicate holds for, with the values that the rest, the
  /// order and the sections need.
  func candidates(on connection: ServerConnection, control: FetchControl?) throws(StoreError)
    -> PartialFetch
  {
    let (selection, statement) = try candidates()
    var rows: [RowSnapshot] = []
    try connection.run(statement, doing: "fetching", control: control) { row in
      rows.append(selection.snapshot(row))
      if rows.count.isMultiple(of: 1_000) { control?.report(completed: rows.count, total: 0) }
    }
    return PartialFetch(ids: rows.map(\.id), rows: rows)
  }

  /// What is selected of the rows that may match, and the statement.
  func candidates() throws(StoreError) -> (selection: RowSelection, statement: SQL) {
    let keyPaths =
      plan.sortDescriptors.map(\.keyPath) + (plan.sectionKey.map { [$0.keyPath] } ?? [])
      + (predicate.map { FetchPredicate($0).keyPaths.sorted() } ?? [])
    let names = Set(keyPaths.compactMap { KeyPathText.components(of: $0)?.first })
    let selection = try store.selection(
      plan.entityName, only: names, cutsLongValues: false, scope: scope)
    return (
      selection, "SELECT \(selection.columns) FROM \(selection.scope.from)\(where: [condition])"
    )
  }
}

extension PostgreSQLStore {
  /// The terms of ORDER BY that order by key, which makes every order total.
  func keyOrder(_ scope: QueryScope) -> [OrderTerm] {
    zip(scope.keyColumns, schema.keyTypes(of: scope.entity.name)).map {
      OrderTerm(ServerOperand(sql: $0, type: $1).keyOrder, ascending: true)
    }
  }

  /// A list of objects of one entity.
  func list(_ ids: [ObjectID], of entityName: String) -> ObjectIDList {
    var list = ObjectIDList(keys: [], storeIdentifier: identifier, entityName: entityName)
    list.append(contentsOf: ids)
    return list
  }
}

extension [OrderTerm] {
  /// The terms of ORDER BY for all rows, NULLs before every value.
  fileprivate func onServer(isReversed: Bool) -> [SQL] {
    indices.compactMap { index in
      // NULLS FIRST says whether a value is there.
      if self[index].isCondition, self[index].constantWhen == nil, !self[index + 1].isCondition {
        return nil
      }
      let sql = compared(at: index, from: 0)
      let ascends = self[index].ascending != isReversed
      // An index has the order of what is never NULL, as a key.
      let mayBeNull = contains {
        $0.isCondition && $0.descriptor == self[index].descriptor
      }
      guard mayBeNull else { return ascends ? sql : "\(sql) DESC" }
      return ascends ? "\(sql) NULLS FIRST" : "\(sql) DESC NULLS LAST"
    }
  }

  /// What a term compares in rows in which the terms before a first one are the same.
  func compared(at index: Int, from first: Int) -> SQL {
    let sql = self[index].sql
    let condition = self[first..<index].last {
      $0.descriptor == self[index].descriptor && $0.constantWhen != nil
    }
    guard let condition else { return sql }
    return condition.constantWhen == true
      ? "CASE WHEN NOT \(condition.sql) THEN \(sql) END"
      : "CASE WHEN \(condition.sql) THEN \(sql) END"
  }
}

extension FetchPlan {
  /// The predicate, checked for the plan's entity if it was validated for another one.
  fileprivate func checkedPredicate(in model: ManagedObjectModel) throws(StoreError)
    -> FetchPredicate.Node?
  {
    do {
      return try predicate?.predicate.validated(forEntity: entityName, in: model).predicate.node
    } catch {
      throw StoreError(
        .unknownName, doing: "fetching", subject: entityName, detail: error.description)
    }
  }
}

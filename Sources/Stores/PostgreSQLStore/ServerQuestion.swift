import ObjectModel
import SQLQueries

/// What the server is asked for a fetch.
struct ServerQuestion {
  /// An attribute at the end of a key path, by which rows are ordered or divided.
  private struct Column {
    let operand: ServerOperand
    let attribute: AttributeDescription

    var selected: SQL { operand.type.selected(operand.sql) }

    func value(_ row: ServerRow, _ index: Int) -> Value {
      attribute.decode(operand.type.value(row, index))
    }
  }

  private let plan: FetchPlan
  private let store: PostgreSQLStore
  private let scope: QueryScope
  private let predicate: FetchPredicate.Node?
  /// What of the predicate the server knows; nil for nothing.
  private let condition: SQL?

  /// Whether the server knows the whole predicate.
  let isWhole: Bool

  init(_ plan: FetchPlan, of store: PostgreSQLStore) throws(StoreError) {
    (self.plan, self.store) = (plan, store)
    predicate = try plan.checkedPredicate(in: store.model)
    scope = try QueryScope(entityName: plan.entityName, layout: store.schema.layout)
    guard let predicate else {
      (condition, isWhole) = (nil, true)
      return
    }
    let (sql, rest) = try ServerCondition(
      schema: store.schema, storeIdentifier: store.identifier, scope: scope
    ).split(predicate)
    (condition, isWhole) = (sql, rest == nil)
  }

  // MARK: The server knows the predicate

  func count(on connection: ServerConnection, control: FetchControl?) throws(StoreError) -> Int {
    var count = 0
    try connection.run(
      "SELECT count(*) FROM \(scope.from)\(where: [condition])", doing: "counting",
      control: control
    ) { row in count = Int(row.integer(0) ?? 0) }
    return count
  }

  /// Fetches keys in order; what the server cannot order as we do is ordered here.
  func fetch(on connection: ServerConnection, control: FetchControl?) throws(StoreError)
    -> FetchedIDs
  {
    let sorts = try plan.sortDescriptors.map { sort throws(StoreError) in
      try column(at: sort.keyPath, scope)
    }
    let section = try plan.sectionKey.map { key throws(StoreError) in
      try column(at: key.keyPath, scope)
    }
    let order = order(sorts, scope)
    let ownOrder = order == nil ? sorts : []
    var window: SQL = ""
    if order != nil {
      if let limit = plan.limit { window += " LIMIT \(number: max(limit, 0))" }
      if plan.offset > 0 { window += " OFFSET \(number: plan.offset)" }
    }
    let isReversed = order != nil && plan.isFromEnd
    let terms = order ?? store.keyOrder(scope)
    let keyTypes = store.schema.keyTypes(of: plan.entityName)
    let idScope = ObjectIDScope.of(
      storeIdentifier: store.identifier, entityName: plan.entityName)
    var ids: [ObjectID] = []
    var columns = plan.sortDescriptors.map(SortValueColumn.init)
    var sectionValues: [Value] = []
    try connection.run(
      """
      SELECT \(scope.keyColumns + ownOrder.map(\.selected) + (section.map { [$0.selected] } ?? [])) \
      FROM \(scope.from)\(where: [condition]) \
      ORDER BY \(terms.map { $0.sql(isReversed: isReversed) })\(window)
      """, doing: "fetching", control: control
    ) { row in
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
    if isReversed {
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
    var list = ObjectIDList(
      keys: [], storeIdentifier: store.identifier, entityName: plan.entityName)
    list.append(contentsOf: ids)
    let runs = plan.sectionKey?.runs(
      of: sectionValues.lazy.map { ($0, section?.attribute) }, plan.sortDescriptors)
    return FetchedIDs(ids: list, sections: runs ?? [])
  }

  private func column(at keyPath: String, _ scope: QueryScope) throws(StoreError) -> Column {
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

  /// The terms of ORDER BY; nil if the order is made here.
  private func order(_ columns: [Column], _ scope: QueryScope) -> [OrderTerm]? {
    var terms: [OrderTerm] = []
    for (sort, column) in zip(plan.sortDescriptors, columns) {
      guard
        let own = column.operand.order(ascending: sort.ascending, comparison: sort.comparison)
      else { return nil }
      terms += own
    }
    return terms + store.keyOrder(scope)
  }

  // MARK: A part of the predicate stays here

  /// The rows that the server's part of the predicate holds for, with the values that the rest, the
  /// order and the sections need.
  func candidates(on connection: ServerConnection, control: FetchControl?) throws(StoreError)
    -> PartialFetch
  {
    let keyPaths =
      plan.sortDescriptors.map(\.keyPath) + (plan.sectionKey.map { [$0.keyPath] } ?? [])
      + (predicate.map { FetchPredicate($0).keyPaths.sorted() } ?? [])
    let names = Set(keyPaths.compactMap { KeyPathText.components(of: $0)?.first })
    let selection = try store.selection(
      plan.entityName, only: names, cutsLongValues: false, scope: scope)
    var rows: [RowSnapshot] = []
    try connection.run(
      "SELECT \(selection.columns) FROM \(selection.scope.from)\(where: [condition])",
      doing: "fetching", control: control
    ) { row in
      rows.append(selection.snapshot(row))
      if rows.count.isMultiple(of: 1_000) { control?.report(completed: rows.count, total: 0) }
    }
    return PartialFetch(ids: rows.map(\.id), rows: rows)
  }
}

extension PostgreSQLStore {
  /// The terms of ORDER BY that order by key, which makes every order total.
  func keyOrder(_ scope: QueryScope) -> [OrderTerm] {
    zip(scope.keyColumns, schema.keyTypes(of: scope.entity.name)).map {
      OrderTerm(sql: ServerOperand(sql: $0, type: $1).keyOrder, ascending: true)
    }
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

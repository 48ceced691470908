import ObjectModel

extension QueryCompiler {
  /// A comparison of two objects; nil if it must be evaluated in memory.
  func plain(
    _ object: ObjectOperand, _ operation: FetchPredicate.Operator, _ right: Expression,
    in scopes: Scopes
  ) throws(StoreError) -> PlainCondition? {
    switch (operation, right) {
    case (.equal, .constant(.null)):
      let isNull = object.keyColumns.map { "\($0) IS NULL" as SQL }.joined(" OR ")
      return PlainCondition(sql: "(\(isNull))", mayBeNull: false)
    case (.notEqual, .constant(.null)):
      let isNotNull = object.keyColumns.map { "\($0) IS NOT NULL" as SQL }.joined(" AND ")
      return PlainCondition(sql: "(\(isNotNull))", mayBeNull: false)
    case (.equal, .object(let id)): return PlainCondition(sql: identity(object, id))
    case (.notEqual, .object(let id)):
      return PlainCondition(sql: "(\(identity(object, id))) IS NOT TRUE", mayBeNull: false)
    case (.in, .list(let elements)):
      let ids = elements.compactMap { element -> ObjectID? in
        if case .object(let id) = element { id } else { nil }
      }
      guard ids.count == elements.count else { return nil }
      return membership(object, in: ids)
    case (.equal, _), (.notEqual, _):
      guard case .object(let other)? = try target(of: right, in: scopes),
        other.keyColumns.count == object.keyColumns.count,
        layout.tables[other.entityName]?.name == layout.tables[object.entityName]?.name
      else { return nil }
      let same = zip(object.keyColumns, other.keyColumns).map { "\($0) IS \($1)" as SQL }
        .joined(" AND ")
      return PlainCondition(
        sql: operation == .equal ? "(\(same))" : "(NOT (\(same)))", mayBeNull: false)
    default: return nil
    }
  }

  /// The condition that an object has an ID.
  private func identity(_ object: ObjectOperand, _ id: ObjectID) -> SQL {
    guard let values = keyValues(of: id, like: object) else { return "0" }
    let key = SQL.equal(object.keyColumns, values.map(SQL.value))
    return object.isOfEntity(id.entityName).map { "(\(key) AND \($0))" } ?? "(\(key))"
  }

  private func membership(_ object: ObjectOperand, in ids: [ObjectID]) -> PlainCondition {
    guard object.entityColumn != nil else { return keyMembership(object, in: ids) }
    let terms = Dictionary(grouping: ids, by: \.entityName).sorted { $0.key < $1.key }.map {
      name, ids in
      let keys = keyMembership(object, in: ids).sql
      return object.isOfEntity(name).map { "(\(keys) AND \($0))" } ?? keys
    }
    return PlainCondition(sql: Self.balanced(terms, " OR ", empty: "0"))
  }

  /// The condition that an object's key is in a list; the entity is not compared.
  private func keyMembership(_ object: ObjectOperand, in ids: [ObjectID]) -> PlainCondition {
    let keys = ids.compactMap { keyValues(of: $0, like: object) }
    guard let only = object.keyColumns.first, object.keyColumns.count == 1 else {
      let terms = keys.map { "(\(SQL.equal(object.keyColumns, $0.map(SQL.value))))" as SQL }
      return PlainCondition(sql: Self.balanced(terms, " OR ", empty: "0"))
    }
    guard !keys.isEmpty else { return PlainCondition(sql: "0", mayBeNull: false) }
    let values = keys.compactMap(\.first)
    if let list = SQL.list(values) { return PlainCondition(sql: "\(only) IN \(list)") }
    let terms = values.map { "\(only) = \($0)" as SQL }
    return PlainCondition(sql: Self.balanced(terms, " OR ", empty: "0"))
  }

  /// The values of an ID's key in the order of an operand's columns; nil if the operand cannot be
  /// that object.
  private func keyValues(of id: ObjectID, like object: ObjectOperand) -> [Value]? {
    let id = id.permanent
    guard layout.entityNames(of: object.entityName).contains(id.entityName),
      id.storeIdentifier == storeIdentifier
    else {
      return nil
    }
    switch id.key {
    case .integer(let key): return object.isRowid ? [.integer(key)] : nil
    case .composite(let values):
      return !object.isRowid && values.count == object.keyColumns.count ? values : nil
    case .temporary: return nil
    }
  }
}

import ObjectModel
import SQLQueries

/// Finds objects by the values of attributes, a million times in one transaction.
///
/// Where no index of the table has the attributes, their values are copied to a temporary table that
/// has one: a temporary index on the table itself would change its schema for other programs.
final class KeyLookup: ObjectLookup {
  private let statements: SaveStatements
  private let storeIdentifier: String
  private let entityName: String
  private let table: EntityTable
  private let search: Statement
  /// Adds a row to the temporary table; nil without one.
  private let addition: SQL?
  private let temporaryName: String
  private let keyCount: Int

  /// Prepares to find objects of the entity of a scope.
  ///
  /// - Parameters:
  ///   - attributes: The names of the attributes.
  ///   - scope: The entity.
  ///   - storeIdentifier: The store.
  ///   - statements: Those of the transaction.
  ///   - number: Tells its temporary table from those of others.
  /// - Throws: ``StoreError``.
  init(
    _ attributes: [String], in scope: QueryScope, storeIdentifier: String,
    _ statements: SaveStatements, number: Int
  ) throws(StoreError) {
    self.statements = statements
    self.storeIdentifier = storeIdentifier
    (entityName, table) = (scope.entity.name, scope.table)
    var columns: [String] = []
    for name in attributes {
      guard let index = scope.entity.attributeIndex(name), index < table.columns.count else {
        throw StoreError(
          .unknownName, doing: "finding objects", subject: "\(entityName).\(name)",
          detail: "there is no such attribute")
      }
      columns.append(table.columns[index])
    }
    let keys = table.keyColumnNames
    keyCount = keys.count
    let entity = table.entityColumn.map { [$0.name] } ?? []
    let condition = SQL.equal(columns.map(SQL.name), columns.map { _ in SQL.value(.null) })
    let found: SQL = "SELECT \(names: keys + entity) FROM \(name: table.name)"
    let own: SQL =
      table.entityColumn.map { column in
        let values = scope.layout.entityNames(of: scope.entity.name).compactMap {
          column.values[$0]
        }
        return " AND +\(name: column.name) IN (\(values))"
      } ?? ""
    let direct: SQL = "\(found) WHERE \(condition)\(own) LIMIT 2"
    let plan = try statements.rows("EXPLAIN QUERY PLAN \(direct)").compactMap { $0.last?.text }
    temporaryName = "cardfile_lookup_\(number)"
    guard plan.contains(where: { $0.hasPrefix("SCAN") }) else {
      search = try statements.prepare(direct)
      addition = nil
      return
    }
    let copies = columns.indices.map { "v\($0)" }
    let ids = keys.indices.map { "k\($0)" } + entity.map { _ in "e" }
    let copied = zip(columns + keys + entity, copies + ids).map {
      "\(name: $0) AS \(name: $1)" as SQL
    }
    try statements.run(
      """
      CREATE TEMP TABLE \(name: temporaryName) AS SELECT \(copied) FROM \(name: table.name) \
      WHERE true\(own)
      """)
    try statements.run(
      "CREATE INDEX temp.\(name: temporaryName + "_i") ON \(name: temporaryName) (\(names: copies))"
    )
    let same = SQL.equal(copies.map(SQL.name), copies.map { _ in SQL.value(.null) })
    search = try statements.prepare(
      "SELECT \(names: ids) FROM temp.\(name: temporaryName) WHERE \(same) LIMIT 2")
    addition = """
      INSERT INTO temp.\(name: temporaryName) (\(names: copies + ids)) \
      VALUES (\((copies + ids).map { _ in Value.null }))
      """
  }

  func match(_ values: [Value]) throws(StoreError) -> ObjectMatch {
    for (offset, value) in values.enumerated() {
      try search.bind(value, at: Int32(truncatingIfNeeded: offset + 1))
    }
    return try match()
  }

  func match(_ field: StoredField) throws(StoreError) -> ObjectMatch {
    try search.bind(field, at: 1, outlivesRun: true)
    return try match()
  }

  private func match() throws(StoreError) -> ObjectMatch {
    defer { search.reset() }
    guard try search.step() else { return .none }
    let keys = (0..<keyCount).map { search.value(Int32(truncatingIfNeeded: $0)) }
    var name = entityName
    if let column = table.entityColumn {
      let mark = search.value(Int32(truncatingIfNeeded: keyCount))
      name = column.entityNames[mark] ?? entityName
    }
    guard
      let id = ObjectID(
        storeIdentifier: storeIdentifier, entityName: name, keyValues: keys,
        isRowid: table.hasRowid)
    else { return .none }
    return try search.step() ? .several : .one(id)
  }

  func add(_ values: [Value], for id: ObjectID) throws(StoreError) {
    guard let addition else { return }
    let mark = table.entityColumn.map { [$0.values[id.entityName] ?? .null] } ?? []
    try statements.run(addition.binding(values + id.keyValues + mark))
  }

  /// Removes the temporary table.
  func end() throws(StoreError) {
    guard addition != nil else { return }
    try statements.run("DROP TABLE temp.\(name: temporaryName)")
  }
}

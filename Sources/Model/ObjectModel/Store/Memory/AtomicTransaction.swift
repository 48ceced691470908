/// Several saves of an atomic store: each on the rows that the one before has left.
final class AtomicTransaction: BulkTransaction {
  private(set) var rows: InMemoryRows

  init(_ rows: InMemoryRows) { self.rows = rows }

  var isOver: Bool { false }

  func save(_ request: SaveRequest, updatedRows: [RowSnapshot?]?) throws(StoreError) -> SaveResult {
    var save = InMemorySave(rows: rows)
    let result = try save.write(request)
    rows = save.rows
    return result
  }

  func rows(of ids: [ObjectID]) -> [RowSnapshot?] { ids.map(rows.row) }

  func lookup(_ attributes: [String], of entityName: String) throws(StoreError)
    -> any ObjectLookup
  { try AtomicLookup(attributes, of: entityName, in: rows) }
}

/// Objects by the values of attributes, as they were when the transaction began, and those that were
/// added.
private final class AtomicLookup: ObjectLookup {
  private var objects: [[Value]: ObjectMatch] = [:]

  init(_ attributes: [String], of entityName: String, in rows: InMemoryRows) throws(StoreError) {
    var indexes: [String: [Int]] = [:]
    for name in rows.model.entityNames(inheritingFrom: entityName) {
      let entity = rows.model.entity(named: name)
      indexes[name] = attributes.compactMap { entity?.attributeIndex($0) }
      guard indexes[name]?.count == attributes.count else {
        throw StoreError(
          .unknownName, doing: "finding objects",
          subject: "\(entityName).\(attributes.joined(separator: ", "))",
          detail: "there is no such attribute")
      }
    }
    for row in rows.rows.values {
      guard let indexes = indexes[row.id.entityName] else { continue }
      add(indexes.map { row.values[$0] }, for: row.id)
    }
  }

  func match(_ values: [Value]) -> ObjectMatch { objects[values] ?? .none }

  func match(_ field: StoredField) -> ObjectMatch { match([field.value]) }

  func add(_ values: [Value], for id: ObjectID) {
    guard !values.contains(.null) else { return }
    objects[values] = objects[values] == nil ? .one(id) : .several
  }
}

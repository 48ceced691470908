import ObjectModel

/// The columns of a query that tell an object: its key, and its own entity where several share a table.
struct IDColumns {
  let storeIdentifier: String
  let entityName: String
  let isRowid: Bool
  let keys: [Int32]
  /// The column that tells the entity; nil where all are of one entity.
  let entity: Int32?
  private let entityNames: [Value: String]

  /// Adds the columns of an object to a query's.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - storeIdentifier: The identifier that IDs carry.
  ///   - columns: The query's columns so far; those that are among them already are used again.
  init(_ object: ObjectOperand, storeIdentifier: String, in columns: inout [SQL]) {
    func place(_ sql: SQL) -> Int32 {
      if let place = columns.firstIndex(of: sql) { return Int32(place) }
      columns.append(sql)
      return Int32(columns.count - 1)
    }
    self.storeIdentifier = storeIdentifier
    entityName = object.entityName
    isRowid = object.isRowid
    keys = object.keyColumns.map(place)
    entity = object.entityColumn.map(place)
    entityNames = object.entityNames
  }

  /// How the IDs are held compactly; nil when there are too many entities.
  var coding: ObjectIDCoding? {
    ObjectIDCoding(storeIdentifier: storeIdentifier, entityNames: names)
  }

  /// The entities that objects may be of, the declared one first; always in the same order.
  private var names: [String] {
    guard entity != nil else { return [entityName] }
    return [entityName] + Set(entityNames.values).subtracting([entityName]).sorted()
  }

  /// Tells the places of rows' entities in the coding's names.
  var places: EntityPlaces {
    EntityPlaces(column: entity ?? 0, entityNames: entityNames, names: names)
  }

  /// The ID of a row's object; nil when there is none.
  func id(_ row: borrowing Statement) -> ObjectID? {
    var name = entityName
    if let entity, let own = entityNames[row.value(entity)] { name = own }
    if isRowid, let key = keys.first, row.isInteger(key) {
      return ObjectID(
        storeIdentifier: storeIdentifier, entityName: name, key: .integer(row.integer(key)))
    }
    var values: [Value] = []
    for key in keys { values.append(row.value(key)) }
    return ObjectID(
      storeIdentifier: storeIdentifier, entityName: name, keyValues: values, isRowid: isRowid)
  }
}

import ObjectModel
import SQLQueries

/// The columns of a query that identify an object: the key, and the entity if there are several.
struct IDColumns {
  let storeIdentifier: String
  let entityName: String
  let isRowid: Bool
  let keys: [Int32]
  /// The column that identifies the entity; nil if all objects are of one entity.
  let entity: Int32?
  private let entityNames: [Value: String]
  private let scope: ObjectIDScope
  private let scopes: [Value: ObjectIDScope]

  /// Adds the columns of an object to the columns of a query, unless they are among them.
  init(_ object: ObjectOperand, storeIdentifier: String, in columns: inout [SQL]) {
    func index(_ sql: SQL) -> Int32 {
      if let index = columns.firstIndex(of: sql) { return Int32(index) }
      columns.append(sql)
      return Int32(columns.count - 1)
    }
    self.storeIdentifier = storeIdentifier
    entityName = object.entityName
    isRowid = object.isRowid
    keys = object.keyColumns.map(index)
    entity = object.entityColumn.map(index)
    entityNames = object.entityNames
    scope = .of(storeIdentifier: storeIdentifier, entityName: object.entityName)
    scopes = object.entityNames.mapValues {
      .of(storeIdentifier: storeIdentifier, entityName: $0)
    }
  }

  /// The compact coding of the IDs; nil if there are too many entities.
  var coding: ObjectIDCoding? {
    ObjectIDCoding(storeIdentifier: storeIdentifier, entityNames: names)
  }

  /// A list of IDs, by their codes if they have any.
  func list(of ids: [ObjectID]) -> ObjectIDList {
    guard isRowid, let coding else { return ObjectIDList(ids) }
    return ObjectIDList(ids, coding)
  }

  /// The possible entities, the declared one first, then sorted.
  private var names: [String] {
    guard entity != nil else { return [entityName] }
    return [entityName] + Set(entityNames.values).subtracting([entityName]).sorted()
  }

  /// Maps rows to entities of ``coding``; nil if all objects are of one entity.
  var entityIndexes: EntityIndexes? {
    entity.map { EntityIndexes(column: $0, entityNames: entityNames, names: names) }
  }

  /// The ID of a row's object, of the declared entity if the model does not have the row's; nil if
  /// the key is NULL.
  func id<Row: StoredRow & ~Copyable>(_ row: borrowing Row) -> ObjectID? {
    id(row, in: entity.flatMap { scopes[row.value($0)] } ?? scope)
  }

  /// The ID of a row's object; nil if the key is NULL, or the model does not have its entity.
  func knownID<Row: StoredRow & ~Copyable>(_ row: borrowing Row) -> ObjectID? {
    guard let entity else { return id(row, in: scope) }
    return scopes[row.value(entity)].flatMap { id(row, in: $0) }
  }

  private func id<Row: StoredRow & ~Copyable>(_ row: borrowing Row, in own: ObjectIDScope)
    -> ObjectID?
  {
    if isRowid, let key = keys.first, row.isInteger(key) {
      return ObjectID(own, key: .integer(row.integer(key)))
    }
    var values: [Value] = []
    for key in keys { values.append(row.value(key)) }
    return ObjectID(
      storeIdentifier: storeIdentifier, entityName: own.entityName, keyValues: values,
      isRowid: isRowid)
  }
}

/// Maps the entity column of rows to indexes in a list of entity names.
struct EntityIndexes {
  private let column: Int32
  /// The indexes of the small integers that are numbers of entities as a rule; -1 for no entity.
  private var small = Array(repeating: -1, count: 256)
  private var others: [Value: Int] = [:]

  /// Creates the mapping for the rows of a statement.
  init(column: Int32, entityNames: [Value: String], names: [String]) {
    self.column = column
    let indexes = Dictionary(firstOf: zip(names, names.indices))
    for (mark, name) in entityNames {
      guard let index = indexes[name] else { continue }
      if case .integer(let number) = mark, let position = Int(exactly: number),
        small.indices.contains(position)
      {
        small[position] = index
      } else {
        others[mark] = index
      }
    }
  }

  /// The index of a row's entity; nil if the model does not have it.
  func index<Row: StoredRow & ~Copyable>(_ row: borrowing Row) -> Int? {
    if row.isInteger(column) {
      let mark = row.integer(column)
      if mark >= 0, mark < small.count {
        let index = small[Int(mark)]
        return index < 0 ? nil : index
      }
    }
    return others[row.value(column)]
  }
}

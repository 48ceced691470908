import ObjectModel

/// What a save keeps up beside the values of objects in a store of Core Data's layout: see core-data-stores 5.
///
/// Last keys (Z_MAX), counters of changes (Z_OPT), places in ordered relationships (Z_FOK), and what the history is told.
final class CoreDataSave {
  let schema: CoreDataSchema
  let layout: StoreLayout
  let statements: StatementRunner
  /// Rows that are new, or whose counter has grown in this save: it grows once.
  private(set) var counted: Set<ObjectID> = []
  /// What changed of objects that were there before, in the order in which it did.
  private var changed: [ObjectID: (properties: Set<String>, orders: Set<String>)] = [:]
  private var changedOrder: [ObjectID] = []
  private var lastKeys: [String: Int64] = [:]
  private var lastPlaces: [OrderedList: Int64] = [:]
  private var otherColumnNames: [String: [String]] = [:]
  /// The to-many relationships whose keys stand in hidden columns; worked out once, for rows that are put in or taken out.
  private(set) lazy var hiddenEnds = layout.model.entities.flatMap { entity in
    entity.relationships.compactMap { relationship -> HiddenEnd? in
      guard case .foreignKey(let key)? = layout.tables[entity.name]?.toMany[relationship.name],
        key.isHidden, let column = key.columns.first
      else { return nil }
      return HiddenEnd(
        owner: entity.name, relationship: relationship.name,
        destination: relationship.destinationEntityName, column: column)
    }
  }

  /// A to-many relationship without an inverse, and the column of its destination that holds the owner's key.
  struct HiddenEnd {
    let owner: String
    let relationship: String
    let destination: String
    let column: String
  }

  /// The objects of one ordered relationship of one object, by where their keys stand.
  struct OrderedList: Hashable {
    let table: String
    let orderColumn: String
    let ownerColumn: String
    let owner: Int64
  }

  /// Starts a save; nil where the store is not in Core Data's layout.
  init?(layout: StoreLayout, statements: StatementRunner) {
    guard let schema = layout.coreData else { return nil }
    self.schema = schema
    self.layout = layout
    self.statements = statements
  }

  /// The number of an entity.
  func number(of entityName: String) throws(StoreError) -> Int64 {
    if let number = schema.entityNumbers[entityName] { return number }
    throw StoreError(
      .unsupported, doing: "saving", subject: entityName,
      detail: "the store has no number for this entity")
  }

  // MARK: Keys

  /// The key of a new object: one more than the last that its table ever gave out.
  func nextKey(of entityName: String, table: String) throws(StoreError) -> Int64 {
    let root = schema.rootNames[entityName] ?? entityName
    let last: Int64
    if let known = lastKeys[root] {
      last = known
    } else {
      let number = try number(of: root)
      let sql =
        SQL.raw("SELECT max(coalesce((SELECT p.Z_MAX FROM Z_PRIMARYKEY AS p WHERE p.Z_ENT = ")
        + .value(.integer(number)) + .raw("), 0), coalesce((SELECT max(t.Z_PK) FROM ")
        + .name(table) + .raw(" AS t), 0))")
      guard case .integer(let known)? = try statements.row(sql, columns: 1)?.first else { return 1 }
      last = known
    }
    guard last < .max else {
      throw StoreError(
        .unsupported, doing: "saving", subject: entityName, detail: "its keys are used up")
    }
    lastKeys[root] = last + 1
    return last + 1
  }

  /// Writes down the last keys that were given out.
  func keepLastKeys() throws(StoreError) {
    for (root, key) in lastKeys.sorted(by: { $0.key < $1.key }) {
      let number = try number(of: root)
      try statements.run(
        .raw("UPDATE Z_PRIMARYKEY SET Z_MAX = ") + .value(.integer(key))
          + .raw(" WHERE Z_ENT = ") + .value(.integer(number)))
    }
  }

  // MARK: Counters and history

  /// Notes a row that is new in this save.
  func noteInserted(_ id: ObjectID) { counted.insert(id) }

  /// What an update of a row sets beside: its counter one higher, once a save; nil the second time.
  func counting(_ id: ObjectID) -> SQL? {
    counted.contains(id) ? nil : .raw("\"Z_OPT\" = coalesce(\"Z_OPT\", 0) + 1")
  }

  /// Notes that the counter of a row has grown.
  func noteCounted(_ id: ObjectID) { counted.insert(id) }

  /// Notes what changed of an object.
  ///
  /// - Parameters:
  ///   - id: The object, by its permanent ID.
  ///   - properties: The names of properties.
  ///   - orders: The names of to-ones of which only the place at the other end changed.
  func note(_ id: ObjectID, _ properties: Set<String>, orders: Set<String> = []) {
    if changed[id] == nil { changedOrder.append(id) }
    changed[id, default: ([], [])].properties.formUnion(properties)
    changed[id, default: ([], [])].orders.formUnion(orders)
  }

  /// Objects of which something changed, in the order in which it did.
  var changedIDs: [ObjectID] { changedOrder }

  /// What changed of an object.
  func changes(of id: ObjectID) -> (properties: Set<String>, orders: Set<String>) {
    changed[id] ?? ([], [])
  }

  // MARK: Places in ordered relationships

  /// The place after all others in an ordered relationship.
  func nextPlace(in list: OrderedList) throws(StoreError) -> Value {
    var last = lastPlaces[list]
    if last == nil {
      let sql =
        SQL.raw("SELECT max(t.\(SQL.quote(list.orderColumn))) FROM ") + .name(list.table)
        + .raw(" AS t WHERE t.\(SQL.quote(list.ownerColumn)) = ") + .value(.integer(list.owner))
      if case .integer(let key)? = try statements.row(sql, columns: 1)?.first { last = key }
    }
    guard let next = OrderKeys.next(after: last) else { return .null }
    lastPlaces[list] = next
    return .integer(next)
  }

  // MARK: Columns that no property shows

  /// The columns of an entity's table that no property of it shows, and that are not the row's own three.
  func otherColumns(of entityName: String, in table: EntityTable) throws(StoreError) -> [String] {
    if let known = otherColumnNames[entityName] { return known }
    var shown = Set(["Z_PK", "Z_ENT", "Z_OPT"])
    if let entity = layout.model.entity(named: entityName) {
      for (attribute, column) in zip(entity.attributes, table.columns)
      where attribute.encoding != .externalData {
        shown.insert(column)
      }
    }
    for toOne in table.toOne.values {
      shown.formUnion(toOne.columns)
      if let column = toOne.entityColumn { shown.insert(column) }
    }
    let names = try statements.rows(
      .raw("SELECT name FROM pragma_table_info(") + .value(.string(table.name)) + .raw(")"),
      columns: 1)
    let others = names.compactMap { $0.first?.text }.filter { !shown.contains($0) }
    otherColumnNames[entityName] = others
    return others
  }
}

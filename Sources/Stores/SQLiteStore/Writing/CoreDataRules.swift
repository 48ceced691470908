import ObjectModel
import SQLQueries

/// What a save writes beside the values of objects into Core Data's tables: core-data-stores 5.
///
/// Keys (Z_PK, Z_MAX), the entity (Z_ENT), the update counter (Z_OPT), order keys (Z_FOK) and
/// persistent history.
final class CoreDataRules: LayoutRules {
  /// What changed of an object that existed before.
  struct Change {
    var properties: Set<String> = []
    /// To-ones of which only the order key changed.
    var orders: Set<String> = []
  }

  /// A to-many relationship without an inverse, and the column of its destination that holds the
  /// owner's key.
  struct HiddenRelationship {
    let owner: String
    let relationship: String
    let destination: String
    let column: String
  }

  let rows: SaveRows
  let schema: CoreDataSchema
  let keys: KeyAllocator
  /// Rows whose update counter needs no increment: new ones, and those that had it in this save.
  var counted: Set<ObjectID> = []
  /// What changed of objects, and the order in which they did.
  private(set) var changes: [ObjectID: Change] = [:]
  private(set) var changedIDs: [ObjectID] = []
  let orders: OrderWriter
  /// The columns that no property shows, by entity.
  var otherColumnNames: [String: [String]] = [:]
  let triggerReports: TriggerReports
  private(set) lazy var hiddenRelationships = rows.layout.model.entities.flatMap { entity in
    rows.layout.model.ownRelationships(of: entity).compactMap {
      relationship -> HiddenRelationship? in
      guard
        case .foreignKey(let key)? = rows.layout.tables[entity.name]?.toMany[relationship.name],
        key.isHidden, let column = key.columns.first
      else { return nil }
      return HiddenRelationship(
        owner: entity.name, relationship: relationship.name,
        destination: relationship.destinationEntityName, column: column)
    }
  }

  init(_ rows: SaveRows, schema: CoreDataSchema) {
    self.rows = rows
    self.schema = schema
    keys = KeyAllocator(rows.statements)
    orders = OrderWriter(rows)
    triggerReports = TriggerReports(schema, storeIdentifier: rows.storeIdentifier)
  }

  var hasOrderKeys: Bool { true }

  func observeTriggers(_ areObserved: Bool) throws(StoreError) {
    try triggerReports.collect(areObserved, on: rows.statements.connection.handle)
  }

  /// The number of an entity (Z_ENT).
  func number(of entityName: String) throws(StoreError) -> Int64 {
    if let number = schema.entityNumbers[entityName] { return number }
    throw StoreError(
      .unsupported, doing: "saving", subject: entityName,
      detail: "the store has no number for this entity")
  }

  func nextKey(column: String, in scope: QueryScope) throws(StoreError) -> Int64 {
    try keys.allocate(in: keyTable(of: scope))
  }

  /// The table whose keys an entity's objects have.
  func keyTable(of scope: QueryScope) throws(StoreError) -> KeyAllocator.Table {
    let root = schema.rootNames[scope.entity.name] ?? scope.entity.name
    return .init(number: try number(of: root), entityName: root, name: scope.table.name)
  }

  /// Updates a row, and increments its counter once a save.
  func update(_ id: ObjectID, with body: ([SQL]) throws(StoreError) -> Void) throws(StoreError) {
    try body(counted.contains(id) ? [] : Self.increment)
    counted.insert(id)
  }

  private static let increment: [SQL] = [#""Z_OPT" = coalesce("Z_OPT", 0) + 1"#]

  func noteChange(of id: ObjectID, _ properties: @autoclosure () -> Set<String>) {
    noteChange(of: id, Change(properties: properties()))
  }

  func noteChange(of id: ObjectID, _ change: Change) {
    if changes[id] == nil { changedIDs.append(id) }
    changes[id, default: Change()].properties.formUnion(change.properties)
    changes[id, default: Change()].orders.formUnion(change.orders)
  }

  /// Names properties in place of their columns.
  func describe(_ detail: String, of id: ObjectID) throws(StoreError) -> String {
    let scope = try rows.scope(id.entityName)
    var columns = Array(zip(scope.table.columns, scope.entity.attributes.map(\.name)))
    columns += scope.table.toOne.flatMap { name, toOne in toOne.columns.map { ($0, name) } }
    // A longer name first, which may begin with a shorter one.
    return columns.sorted { $0.0.count > $1.0.count }.reduce(detail) { text, pair in
      text.replacing("\(scope.table.name).\(pair.0)", with: pair.1)
    }
  }
}

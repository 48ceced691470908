import CSQLite
import GRDBSQLite
import ObjectModel
import SQLQueries

/// Notes the rows that triggers change during a save.
final class TriggerWatch {
  /// How the object of a row is found.
  private struct Source {
    let entityName: String
    let table: EntityTable
    /// The positions of the key's columns in the table; empty for a rowid.
    let keyPositions: [Int32]
    /// The position of the column that identifies the entity.
    let entityPosition: Int32?
  }

  /// A row that a trigger changed.
  private struct Row: Hashable {
    let table: String
    let rowid: Int64
    /// The object; nil if the table has no entity.
    let id: ObjectID?
  }

  private let storeIdentifier: String
  private let requested: Set<ObjectID>
  /// The tables that triggers may write, in lower case, and how to find their objects.
  private var sources: [String: Source?] = [:]
  private var rows: [Int32: Set<Row>] = [:]

  /// Prepares to watch the tables that triggers may write.
  ///
  /// - Parameters:
  ///   - triggers: The triggers that the save runs.
  ///   - request: The save; rows that it names are not noted.
  ///   - reader: The reader of the store.
  ///   - statements: The save's statements.
  /// - Throws: ``StoreError``.
  init(
    _ triggers: [StoreTrigger], request: SaveRequest, reader: StoreReader,
    statements: SaveStatements
  ) throws(StoreError) {
    storeIdentifier = reader.storeIdentifier
    requested = Set(request.deleted.map(\.id) + request.updated.map(\.id))
    let entities = Dictionary(
      reader.layout.tables.sorted { $0.key < $1.key }.map { ($0.value.name.lowercased(), $0) },
      uniquingKeysWith: { first, _ in first })
    for name in Set(triggers.flatMap(\.tables)) {
      guard let (entityName, table) = entities[name.lowercased()] else {
        sources[name.lowercased()] = .some(nil)
        continue
      }
      let positions = try Self.positions(in: table.name, statements)
      let keys = table.hasRowid ? [] : table.keyColumnNames.map { positions[$0] }
      sources[name.lowercased()] = Source(
        entityName: entityName, table: table, keyPositions: keys.compactMap(\.self),
        entityPosition: table.entityColumn.flatMap { positions[$0.name] })
    }
  }

  private static func positions(in table: String, _ statements: SaveStatements) throws(StoreError)
    -> [String: Int32]
  {
    let columns = try statements.rows(
      "SELECT name, cid FROM pragma_table_xinfo(\(.string(table)))")
    return columns.reduce(into: [:]) { positions, row in
      if case .integer(let position) = row[1] { positions[row[0].text ?? ""] = Int32(position) }
    }
  }

  /// The objects that triggers deleted and the request does not name.
  var deletedIDs: Set<ObjectID> { ids(SQLITE_DELETE) }
  /// The objects that triggers changed and the request does not name.
  var changedIDs: Set<ObjectID> { ids(SQLITE_UPDATE).subtracting(deletedIDs) }

  private func ids(_ operation: Int32) -> Set<ObjectID> {
    Set((rows[operation] ?? []).compactMap(\.id))
  }

  /// The numbers of rows by table.
  var effects: TriggerEffects {
    var effects = TriggerEffects()
    for row in rows[SQLITE_DELETE] ?? [] { effects.deleted[row.table, default: 0] += 1 }
    for row in rows[SQLITE_INSERT] ?? [] { effects.inserted[row.table, default: 0] += 1 }
    for row in rows[SQLITE_UPDATE] ?? [] { effects.updated[row.table, default: 0] += 1 }
    return effects
  }

  /// Notes what triggers change while a closure runs, and forgets what was noted before.
  func watch<Result>(
    _ connection: OpaquePointer, during body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    rows = [:]
    cs_observeRows(
      connection,
      { context, connection, operation, table, before, after in
        guard let connection, let table else { return }
        Unretained<TriggerWatch>(pointer: context).object?.note(
          operation, String(cString: table), operation == SQLITE_INSERT ? after : before, connection
        )
      }, Unretained(self).pointer)
    defer { cs_observeRows(connection, nil, nil) }
    return try body()
  }

  private func note(
    _ operation: Int32, _ table: String, _ rowid: Int64, _ connection: OpaquePointer
  ) {
    guard let source = sources[table.lowercased()] else { return }
    let id =
      operation == SQLITE_INSERT
      ? nil : source.flatMap { self.id(at: $0, rowid: rowid, connection) }
    if let id, requested.contains(id) { return }
    rows[operation, default: []].insert(Row(table: table, rowid: rowid, id: id))
  }

  private func id(at source: Source, rowid: Int64, _ connection: OpaquePointer) -> ObjectID? {
    var name = source.entityName
    if let position = source.entityPosition, let column = source.table.entityColumn {
      guard let own = column.entityNames[SQLFunctions.value(cs_oldColumn(connection, position))]
      else { return nil }
      name = own
    }
    let keys: [Value] =
      source.table.hasRowid
      ? [.integer(rowid)]
      : source.keyPositions.map { SQLFunctions.value(cs_oldColumn(connection, $0)) }
    return ObjectID(
      storeIdentifier: storeIdentifier, entityName: name, keyValues: keys,
      isRowid: source.table.hasRowid)
  }
}

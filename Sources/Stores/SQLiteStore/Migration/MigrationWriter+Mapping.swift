import ObjectModel
import SQLQueries

extension MigrationWriter {
  /// What a mapping model has made of the store's objects.
  struct Made {
    let objects: MigrationObjects
    /// The highest keys, by root entity.
    let lastKeys: [String: Int64]
  }

  /// Makes the objects of the new model.
  ///
  /// - Throws: ``StoreError``, also for what closures throw.
  func make(_ model: MappingModel) throws(StoreError) -> Made {
    let keys = MigrationKeys(
      model, from: source.model, to: target.layout.model,
      storeIdentifier: reader.storeIdentifier, lastKeys: try sourceLastKeys())
    let manager = MigrationManager(
      model, to: target.layout.model, StoreReading(reader, connection), keys: keys)
    do {
      let (objects, lastKeys) = try manager.run()
      return Made(objects: objects, lastKeys: lastKeys)
    } catch let error as StoreError {
      throw error
    } catch {
      throw StoreError(.other, doing: StoreMigration.doing, detail: "\(error)")
    }
  }

  /// The highest keys that objects have had, by root entity of the source.
  private func sourceLastKeys() throws(StoreError) -> [String: Int64] {
    guard let coreData = source.coreData else {
      var keys: [String: Int64] = [:]
      for entity in source.model.entities where entity.superentityName == nil {
        keys[entity.name] = source.tables[entity.name].flatMap { lastKeys[$0.name] }
      }
      return keys
    }
    let names = coreData.entityNames
    let rows = try statements.rows("SELECT p.Z_ENT, p.Z_MAX FROM Z_PRIMARYKEY p")
    return Dictionary(
      firstOf: rows.compactMap { row in
        guard case .integer(let number) = row[0], case .integer(let last) = row[1],
          let name = names[number]
        else { return nil }
        return (name, last)
      })
  }

  /// Creates the tables of the new model.
  func createTables() throws(StoreError) {
    for item in target.items where item.kind == .table && !item.isSpatialIndex {
      if try !exists(item.name) { try create(item) }
    }
  }

  /// Stores the objects, and then their links.
  ///
  /// - Parameters:
  ///   - made: The objects.
  ///   - reader: Reads the new tables.
  /// - Throws: ``StoreError``, also if values that are to be unique are not.
  func insert(_ made: Made, _ reader: StoreReader) throws(StoreError) {
    var layout = reader.layout
    // The objects are no changes that others follow.
    layout.coreData?.history = nil
    let writer = StoreReader(
      layout: layout, storeIdentifier: reader.storeIdentifier,
      externalFolder: reader.externalFolder)
    // The layout may have properties in another order.
    let model = target.layout.model
    var done = 0
    let objects = made.objects.sorted
    for batch in objects.chunks(of: Self.rowsPerBatch) {
      try FetchControl.check(doing: StoreMigration.doing, completed: done, total: objects.count)
      var request = SaveRequest()
      for object in batch {
        let row = try made.objects.row(object)
        guard let entity = model.entity(named: row.id.entityName) else { continue }
        request.inserted.append(RowChange(row, entity))
      }
      try save(request, writer)
      done += batch.count
    }
    for batch in objects.chunks(of: Self.rowsPerBatch) {
      try FetchControl.check(doing: StoreMigration.doing, completed: done, total: objects.count)
      let links = batch.flatMap { made.objects.storedLinks(of: $0).joined() }
      if !links.isEmpty { try save(SaveRequest(linked: links), writer) }
    }
    for (root, last) in made.lastKeys { try useKeys(upTo: last, root, layout) }
  }

  private static let rowsPerBatch = 1000

  private func save(_ request: SaveRequest, _ reader: StoreReader) throws(StoreError) {
    var request = request
    (request.checksDestinations, request.returnsRows) = (false, false)
    request.returnsDeletedRows = false
    let rows = SaveRows(request, reader: reader, statements: statements)
    do throws(StoreError) {
      _ = try SaveTransaction(rows, externalFiles: externalFiles).run()
    } catch {
      var error = error
      error.doing = StoreMigration.doing
      throw error
    }
  }

  /// Sees to it that no key is given again.
  private func useKeys(upTo last: Int64, _ root: String, _ layout: StoreLayout)
    throws(StoreError)
  {
    if let number = layout.coreData?.entityNumbers[root] {
      try execute("UPDATE Z_PRIMARYKEY SET Z_MAX = max(Z_MAX, \(last)) WHERE Z_ENT = \(number)")
    } else if let table = layout.tables[root]?.name, last > 0 {
      let name = Value.string(table)
      let known = try statements.row("SELECT q.seq FROM sqlite_sequence q WHERE q.name = \(name)")
      if case .integer(let known)? = known?.first, known >= last { return }
      try execute("DELETE FROM sqlite_sequence WHERE name = \(name)")
      try execute("INSERT INTO sqlite_sequence (name, seq) VALUES (\(name), \(last))")
    }
  }
}

extension RowChange {
  /// A new row as it is.
  fileprivate init(_ row: RowSnapshot, _ entity: EntityDescription) {
    self.init(id: row.id)
    for (attribute, value) in zip(entity.attributes, row.values)
    where attribute.details.derivation == nil { values[attribute.name] = value }
    for (relationship, destination) in zip(entity.toOneRelationships, row.toOne) {
      toOne[relationship.name] = .some(destination)
    }
  }
}

/// Reads the objects of a store in a transaction of its own connection.
private struct StoreReading: MigrationReading {
  private let reader: StoreReader
  /// Reads the names of external files in place of their contents.
  private let references: StoreReader
  private let connection: Connection

  init(_ reader: StoreReader, _ connection: Connection) {
    (self.reader, self.connection) = (reader, connection)
    references = StoreReader(layout: reader.layout, storeIdentifier: reader.storeIdentifier)
  }

  var model: ManagedObjectModel { reader.layout.model }

  func ids(_ plan: FetchPlan) throws(StoreError) -> [ObjectID] {
    Array(try reader.fetch(plan, control: nil, on: connection).ids)
  }

  func rows(of ids: [ObjectID]) throws(StoreError) -> [RowSnapshot?] {
    try references.rows(of: ids, isWhole: true, on: connection)
  }

  func value(of attribute: String, for id: ObjectID) throws(StoreError) -> Value {
    try reader.value(of: attribute, for: id, on: connection)
  }

  func destinations(of relationship: String, from ids: [ObjectID]) throws(StoreError)
    -> [ObjectID: [ObjectID]]
  {
    var found: [ObjectID: [ObjectID]] = [:]
    for (_, ids) in Dictionary(grouping: ids, by: \.entityName) {
      found.merge(try reader.destinations(of: relationship, from: ids, on: connection)) { $1 }
    }
    return found
  }
}

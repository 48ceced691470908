import GRDBSQLite
package import ObjectModel

/// Writes changes to a store: all of a request, or nothing.
package struct StoreWriter: Sendable {
  let layout: StoreLayout
  let storeIdentifier: String
  let externalFolder: ExternalFolder?

  /// Makes a writer.
  ///
  /// - Parameters:
  ///   - layout: Where entities stand.
  ///   - storeIdentifier: The identifier that object IDs carry.
  ///   - externalFolder: Where long values get files of their own; nil to keep all values in the tables.
  package init(
    layout: StoreLayout, storeIdentifier: String, externalFolder: ExternalFolder? = nil
  ) {
    self.layout = layout
    self.storeIdentifier = storeIdentifier
    self.externalFolder = externalFolder
  }

  /// Writes changes in one transaction of its own, with foreign keys on.
  ///
  /// The connection must not be in a transaction. Its `foreign_keys` setting is as before afterwards.
  ///
  /// - Parameters:
  ///   - request: What to write.
  ///   - connection: The connection.
  /// - Returns: Permanent IDs and the rows as they now stand.
  /// - Throws: ``StoreError``; nothing was written then.
  package func save(_ request: SaveRequest, on connection: Connection) throws(StoreError)
    -> SaveResult
  {
    let statements = StatementRunner(connection, doing: request.phrase)
    let hadForeignKeys =
      try statements.row(.raw("PRAGMA foreign_keys"), columns: 1) == [.integer(1)]
    if !hadForeignKeys { try statements.run(.raw("PRAGMA foreign_keys = ON")) }
    // Core Data's triggers write spatial indexes, which this SQLite lets only a trusted schema do. What a schema could
    // call beside is without side effects: no extension is ever loaded, and our own functions have none.
    let trustsTriggers = layout.coreData != nil
    if trustsTriggers { try statements.run(.raw("PRAGMA trusted_schema = ON")) }
    let result = Result { () throws(StoreError) in
      try transaction(request, statements: statements, connection: connection)
    }
    if trustsTriggers { try statements.run(.raw("PRAGMA trusted_schema = OFF")) }
    if !hadForeignKeys { try statements.run(.raw("PRAGMA foreign_keys = OFF")) }
    return try result.get()
  }

  private func transaction(
    _ request: SaveRequest, statements: StatementRunner, connection: Connection
  ) throws(StoreError) -> SaveResult {
    let externalFiles = externalFolder.map(ExternalFiles.init)
    try statements.run(.raw("BEGIN IMMEDIATE"))
    do {
      try statements.run(.raw("PRAGMA defer_foreign_keys = ON"))
      let save = SaveTransaction(
        request, layout: layout, storeIdentifier: storeIdentifier, externalFiles: externalFiles,
        statements: statements, connection: connection)
      let result = try save.run()
      try commit(request, statements: statements, connection: connection)
      return result
    } catch {
      // Some failures (a full disk) have rolled back already.
      if sqlite3_get_autocommit(connection.handle) == 0 {
        sqlite3_exec(connection.handle, "ROLLBACK", nil, nil, nil)
      }
      externalFiles?.removeWritten()
      throw error
    }
  }

  private func commit(
    _ request: SaveRequest, statements: StatementRunner, connection: Connection
  ) throws(StoreError) {
    do {
      try statements.run(.raw("COMMIT"))
    } catch {
      guard error.reason == .constraint else { throw error }
      throw try violation(request, statements: statements) ?? error
    }
  }

  /// Names the rows that refer to what is not there, among the tables that a request touches.
  private func violation(_ request: SaveRequest, statements: StatementRunner) throws(StoreError)
    -> StoreError?
  {
    let deleted = Set(request.deleted.map(\.id.entityName))
    let written = Set((request.inserted + request.updated).map(\.id.entityName))
    for (entityName, table) in layout.tables.sorted(by: { $0.key < $1.key }) {
      let refersToDeleted =
        layout.model.entity(named: entityName)?.toOneRelationships.contains {
          deleted.contains($0.destinationEntityName)
        } ?? false
      guard written.contains(entityName) || refersToDeleted else { continue }
      let check =
        .raw("SELECT rowid, parent FROM pragma_foreign_key_check(")
        + SQL.value(.string(table.name)) + .raw(") LIMIT 1")
      guard let row = try statements.row(check, columns: 2) else { continue }
      let parent = row[1].text ?? ""
      let key = row[0].isNull ? "" : " \(row[0].description)"
      var ids: [ObjectID] = []
      if case .integer(let rowid) = row[0], table.hasRowid {
        ids = [
          ObjectID(
            storeIdentifier: storeIdentifier, entityName: entityName, key: .integer(rowid))
        ]
      }
      return StoreError(
        .constraint, doing: request.phrase, subject: "\(entityName)\(key)",
        detail: "\(table.name)\(key) refers to a row of \(parent) that is not there",
        remedy: "set the reference to nothing or to an object that exists", objectIDs: ids)
    }
    return nil
  }
}

extension SaveRequest {
  /// What a save does, for errors.
  var phrase: String {
    let count = inserted.count + updated.count + deleted.count
    return count == 1 ? "saving 1 object" : "saving \(count) objects"
  }
}

extension ObjectID {
  /// The object in words: its entity and key.
  var phrase: String {
    switch key {
    case .integer(let number): "\(entityName) \(number)"
    case .composite(let values):
      "\(entityName) \(values.map(\.description).joined(separator: ", "))"
    case .temporary: "a new \(entityName)"
    }
  }
}

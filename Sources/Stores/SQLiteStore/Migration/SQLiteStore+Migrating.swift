package import Foundation
import ModelFiles
package import ObjectModel
import SQLQueries

extension SQLiteStore {
  /// Plans the migration of the store to another model: by a mapping, or as far as it can be inferred.
  ///
  /// What is lost is counted; nothing is changed.
  ///
  /// - Parameters:
  ///   - model: The model that the store is to have.
  ///   - versionHashes: The version hashes of its entities in a Core Data store; nil for those of the
  ///     model file that it was read from. Without them an app migrates the store again.
  ///   - mapping: The mapping; nil for the inferred one.
  /// - Returns: The plan; its ``StoreMigration/refusals`` say why it cannot be carried out.
  /// - Throws: `StoreError` if the store cannot be read, or cannot have the model.
  /// - Complexity: Reads each table that changes, some several times.
  package func migration(
    to model: ManagedObjectModel, versionHashes: [String: Data]? = nil,
    mapping: MappingModel? = nil
  ) throws(StoreError) -> StoreMigration {
    let columns = try migrationMapping(to: model)
    let migration = StoreMigration(
      from: layout.model, to: model,
      versionHashes: versionHashes ?? KnownVersionHashes.hashes(of: model), mapping: mapping)
    return try read(doing: StoreMigration.doing) { connection throws(StoreError) in
      try completed(migration, columns, on: connection)
    }
  }

  /// Carries out a migration in one transaction: the store is as it was or has the new model,
  /// whatever happens.
  ///
  /// Unless the options turn backups off it is copied to a backup first: see ``backupPath``. Afterwards
  /// it must be opened anew, because this one has the former model.
  ///
  /// - Parameters:
  ///   - migration: The plan.
  ///   - backsUp: Whether the store is copied before, unless the options turn that off.
  /// - Throws: `StoreError` if it has refusals, if the store has changed since it was made so that
  ///   something else would be lost, or cannot be written.
  package func migrate(_ migration: StoreMigration, backsUp: Bool = true) throws(StoreError) {
    if let refusal = migration.refusal(of: guardian.subject) { throw refusal }
    if let readOnlyReason {
      throw StoreError(
        .readOnly, doing: StoreMigration.doing, subject: guardian.subject, detail: readOnlyReason,
        remedy: "migrate a writable copy of it")
    }
    try guardian.check(doing: StoreMigration.doing)
    let mapping = try migrationMapping(to: migration.model)
    if backsUp { try backUp() }
    let files = try pool.write(doing: StoreMigration.doing) { connection throws(StoreError) in
      let statements = SaveStatements(connection, doing: StoreMigration.doing)
      // Neither can be changed inside of a transaction.
      try statements.run("PRAGMA foreign_keys = OFF")
      try statements.run("PRAGMA legacy_alter_table = ON")
      defer {
        try? statements.run("PRAGMA legacy_alter_table = OFF")
        try? statements.run("PRAGMA foreign_keys = ON")
      }
      let watch = StatementWatch(.current, on: connection)
      defer { watch?.end() }
      try statements.run("BEGIN IMMEDIATE")
      var made: ExternalFiles?
      do throws(StoreError) {
        try checkSchema(on: connection)
        let now = try completed(migration.uncounted, mapping, on: connection)
        guard now.losses == migration.losses, now.refusals.isEmpty else { throw hasChanged }
        var writer = try MigrationWriter(migration, mapping, reader: reader, on: connection)
        made = writer.externalFiles
        let files = try writer.run()
        made?.synchronize()
        try FetchControl.committing(doing: StoreMigration.doing) { () throws(StoreError) in
          try statements.run("COMMIT")
        }
        return files
      } catch {
        try? statements.run("ROLLBACK")
        made?.removeWritten()
        throw error
      }
    }
    // No row refers to them; those that cannot be removed are named by a check.
    if let folder = (try? reader.externalFolder?.open(followingLinks: false)) ?? nil {
      for name in files { folder.remove(name) }
    }
  }

  /// Another program may have migrated the store meanwhile.
  private func checkSchema(on connection: Connection) throws(StoreError) {
    let version: Int64
    do { version = try StoreContents.schemaVersion(of: connection.database) } catch {
      throw StoreError(error, doing: StoreMigration.doing, subject: guardian.subject)
    }
    if version != contents.schemaVersion { throw hasChanged }
  }

  private var hasChanged: StoreError {
    StoreError(
      .conflict, doing: StoreMigration.doing, subject: guardian.subject,
      detail: "another program has changed it since the migration was planned",
      remedy: "plan it again")
  }

  private func migrationMapping(to model: ManagedObjectModel) throws(StoreError)
    -> MigrationMapping
  {
    MigrationMapping(from: layout, to: try MigrationTarget(model, from: layout))
  }

  private func completed(
    _ migration: StoreMigration, _ mapping: MigrationMapping, on connection: Connection
  ) throws(StoreError) -> StoreMigration {
    var migration = migration
    let versionHashes = migration.versionHashes
    if layout.coreData == nil, !hasStoredModel {
      migration.refusals = [
        "the database has no model: its tables are the model, and change with ALTER TABLE"
      ]
    } else if layout.coreData?.hasDerivedModel == true {
      migration.refusals = ["the store has no model, and no model file beside it fits"]
    } else if layout.coreData?.writeRefusal != nil {
      // The tables ANSCK… have each record as it was sent, with the fields of the old model.
      migration.refusals = [
        "it is mirrored to iCloud, whose records have the fields of the old model: "
          + "only the app can migrate both"
      ]
    } else {
      if layout.coreData != nil, !versionHashes.isEmpty {
        migration.writesHashes = try hashes(on: connection) != versionHashes
      }
      if migration.isEmpty { return migration }
      if layout.coreData != nil, versionHashes.isEmpty {
        migration.notes.append(
          "The version hashes of the model are not known: an app will migrate the store again.")
      }
      try MigrationPlanner(mapping, on: connection).complete(&migration)
    }
    return migration
  }

  /// The version hashes of the model with which a Core Data store was written; empty if it does not
  /// say.
  package func storedVersionHashes() throws(StoreError) -> [String: Data] {
    guard isCoreData else { return [:] }
    return try read(doing: StoreMigration.doing) { connection throws(StoreError) in
      try hashes(on: connection)
    }
  }

  private func hashes(on connection: Connection) throws(StoreError) -> [String: Data] {
    do { return try CoreDataMetadata(reading: connection.database).modelHashes } catch {
      throw StoreError(error, doing: StoreMigration.doing, subject: guardian.subject)
    }
  }

  private var hasStoredModel: Bool {
    layout.otherTables.contains {
      $0.name == StoredModel.tableName && $0.purpose == StoredModel.purpose
    }
  }

  /// Opens a store, and migrates it before if it has another model.
  ///
  /// A store in Core Data's layout is copied to a backup before, unless the options turn that off.
  ///
  /// - Parameters:
  ///   - path: The path of the database.
  ///   - options: The options of the store; `expectedModel` is the model that it is to have.
  ///   - infers: Whether the mapping is inferred if there is none.
  ///   - mapping: Finds the mapping from a store to the model; nil if there is none.
  /// - Returns: The store.
  /// - Throws: `StoreError` as ``open(path:options:)``, also if it has another model and the
  ///   migration cannot be inferred; it is unchanged then.
  package static func openMigrating(
    path: String, options: Options, infers: Bool = true,
    mapping: (SQLiteStore) throws(StoreError) -> MappingModel? = { _ in nil }
  ) throws(StoreError) -> SQLiteStore {
    guard let model = options.expectedModel, !options.isReadOnly else {
      return try open(path: path, options: options)
    }
    var anyModel = options
    anyModel.expectedModel = nil
    let store = try open(path: path, options: anyModel)
    guard let difference = difference(store.contents, from: model, path: path) else {
      return store
    }
    // The tables of other databases are their model.
    guard store.isCoreData || store.hasStoredModel else { throw difference }
    do throws(StoreError) {
      let mapping = try mapping(store)
      guard infers || mapping != nil else { throw difference }
      let migration = try store.migration(to: model, mapping: mapping)
      // It is a store of something else.
      let isForeign = migration.difference.entities.allSatisfy {
        $0.sourceName == nil || $0.destinationName == nil
      }
      if isForeign, mapping == nil { throw difference }
      try store.migrate(migration, backsUp: store.isCoreData)
    } catch  where error.reason == .conflict {
      // Another process was faster, which may have had the same model.
    }
    return try open(path: path, options: options)
  }
}

import Foundation
import GRDB
package import ObjectModel
import SQLQueries

extension SQLiteStore {
  /// Creates a store from a model, which is stored in it.
  ///
  /// An entity and its subentities share a table, named by the root entity. With plain tables
  /// attributes and to-one relationships are columns of the same name, to-many relationships
  /// without a to-one inverse are join tables; foreign keys, indexes and uniqueness constraints are
  /// declared. With Core Data's layout tables and rows are those of Core Data. No key is used
  /// twice. The journal mode is WAL.
  ///
  /// - Parameters:
  ///   - path: The path of the new file; there must be no file.
  ///   - model: The model.
  ///   - layout: The layout of the tables.
  /// - Returns: The open store.
  /// - Throws: `StoreError` if the file exists or cannot be written, or the model is invalid or
  ///   cannot be stored.
  package static func create(
    path: String, model: ManagedObjectModel, layout: CreationLayout = .plain
  ) throws(StoreError) -> SQLiteStore {
    let doing = "creating a store"
    do {
      try model.validate()
    } catch {
      throw StoreError(.unsupported, doing: doing, subject: path, detail: error.description)
    }
    let contents = try NewContents(model, layout)
    do {
      let (folder, name) = (try OpenFolder(path: path.parentPath), path.lastPathPart)
      for name in [name, name + "-wal", name + "-journal"] where folder.status(of: name) != nil {
        throw taken(path.parentPath == "." ? name : folder.path(of: name), doing: doing)
      }
      folder.removeAbandonedDrafts()
      let draft = try Draft(fileIn: folder, mode: 0o644)
      let database = try VirtualFileSystem.database(in: draft, label: "cardfile.creator")
      try database.writeWithoutTransaction { database in
        try contents.prepare(database)
        try database.inTransaction(.immediate) {
          try contents.write(to: database)
          return .commit
        }
      }
      try database.close()
      // The versions of the format, for writing and reading: 2 is with a write-ahead log.
      guard pwrite(draft.descriptor, [2, 2] as [UInt8], 2, 18) == 2 else {
        throw FileError(errno, path)
      }
      try draft.commit(as: name, replacing: false)
    } catch {
      if (error as? FileError)?.code == EEXIST { throw taken(path, doing: doing) }
      throw StoreError(error, doing: doing, subject: path)
    }
    return try open(path: path)
  }

  /// The error for a file that has the name of the new store, or of its journals: SQLite would use
  /// the journal of a deleted database for the new one.
  private static func taken(_ path: String, doing: String) -> StoreError {
    let isJournal = path.hasSuffix("-wal") || path.hasSuffix("-journal")
    return StoreError(
      .other, doing: doing, subject: path,
      detail: isJournal ? "this file of a deleted database still exists" : "the file exists",
      remedy: isJournal ? "remove it, or choose another path" : "open it, or choose another path")
  }
}

/// The contents of a new store.
enum NewContents {
  case plain(StoreBlueprint, StoredModel)
  case coreData(CoreDataContents)

  init(_ model: ManagedObjectModel, _ layout: SQLiteStore.CreationLayout) throws(StoreError) {
    switch layout {
    case .plain:
      self = .plain(
        try StoreBlueprint(model), StoredModel(identifier: UUID().uuidString, model: model))
    case .coreData(let options): self = .coreData(try CoreDataContents(model, options))
    }
  }

  /// Sets what must be set before tables are created.
  func prepare(_ database: Database) throws {
    if case .coreData(let contents) = self { try contents.prepare(database) }
  }

  /// Creates the tables and writes their first rows, inside a transaction.
  func write(to database: Database) throws {
    switch self {
    case .plain(let blueprint, let stored):
      for statement in blueprint.statements { try database.execute(sql: statement) }
      try stored.write(to: database)
    case .coreData(let contents): try contents.write(to: database)
    }
  }
  /// The layout of a store that was just created.
  ///
  /// - Throws: `DatabaseError`.
  func layout(in database: Database) throws -> StoreLayout {
    switch self {
    case .plain(let blueprint, _): blueprint.layout
    case .coreData(let contents):
      try CoreDataLayout.read(from: database, model: contents.model).layout
    }
  }
}

import Foundation
import GRDB
public import ObjectModel
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
  public static func create(
    path: String, model: ManagedObjectModel, layout: CreationLayout = .plain
  ) throws(StoreError) -> SQLiteStore {
    let doing = "creating a store"
    do {
      try model.validate()
    } catch {
      throw StoreError(.unsupported, doing: doing, subject: path, detail: error.description)
    }
    let contents = try NewContents(model, layout)
    try claim(path, doing: doing)
    do {
      var configuration = Configuration()
      configuration.label = "cardfile.creator"
      guard let canonical = realpath(path.fileSystemBytes, nil) else {
        throw DatabaseFile.systemError(errno, path: path, doing: doing)
      }
      defer { free(canonical) }
      let database = try DatabaseQueue(
        path: VirtualFileSystem.writing.uri(of: String(fileSystemPath: canonical)),
        configuration: configuration)
      try database.writeWithoutTransaction { database in
        try contents.prepare(database)
        try database.inTransaction(.immediate) {
          try contents.write(to: database)
          return .commit
        }
        _ = try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL")
      }
      try database.close()
    } catch {
      for suffix in ["", "-wal", "-shm", "-journal"] { unlink((path + suffix).fileSystemBytes) }
      throw StoreError(error, doing: doing, subject: path)
    }
    return try open(path: path)
  }

  /// Creates an empty file, unless there is one, or a journal of one.
  private static func claim(_ path: String, doing: String) throws(StoreError) {
    for suffix in ["-wal", "-journal"] where FileIdentity(path: path + suffix) != nil {
      // SQLite would use it as the new database's journal.
      throw StoreError(
        .other, doing: doing, subject: path + suffix,
        detail: "this file of a deleted database still exists",
        remedy: "remove it, or choose another path")
    }
    let descriptor = Glibc.open(path.fileSystemBytes, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor < 0 else {
      close(descriptor)
      return
    }
    guard errno == EEXIST else { throw DatabaseFile.systemError(errno, path: path, doing: doing) }
    throw StoreError(
      .other, doing: doing, subject: path, detail: "the file exists",
      remedy: "open it, or choose another path")
  }
}

/// The contents of a new store.
private enum NewContents {
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
}

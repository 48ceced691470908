import Foundation
import GRDB
public import ObjectModel

extension SQLiteStore {
  /// Creates a store from a model, which the store keeps.
  ///
  /// An entity and those that inherit from it share a table, named after the topmost. In plain tables attributes and
  /// to-one relationships are columns of their own names, to-many relationships without a to-one back are tables of
  /// pairs; foreign keys, indexes and uniqueness are declared. In Core Data's layout all is named and kept as Core Data
  /// does. No key is ever used again, and the journal is a write-ahead log.
  ///
  /// - Parameters:
  ///   - path: Where the file is to be; there must be none.
  ///   - model: The model.
  ///   - layout: How the tables are made.
  /// - Returns: The store, open.
  /// - Throws: `StoreError`, when there is a file already, the model is not whole or cannot be tables, or the file cannot
  ///   be written.
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
      guard let canonical = realpath(path, nil) else {
        throw DatabaseFile.systemError(errno, path: path, doing: doing)
      }
      defer { free(canonical) }
      let database = try DatabaseQueue(
        path: String(cString: canonical), configuration: configuration)
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
      for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
      throw StoreError(error, doing: doing, subject: path)
    }
    return try open(path: path)
  }

  /// Makes an empty file, unless there is one, or something of one that is gone.
  private static func claim(_ path: String, doing: String) throws(StoreError) {
    for suffix in ["-wal", "-journal"] where FileIdentity(path: path + suffix) != nil {
      // SQLite would take it for the new database's own.
      throw StoreError(
        .other, doing: doing, subject: path + suffix,
        detail: "this file of a database that is gone is still there",
        remedy: "remove it, or choose another path")
    }
    let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor < 0 else {
      close(descriptor)
      return
    }
    guard errno == EEXIST else { throw DatabaseFile.systemError(errno, path: path, doing: doing) }
    throw StoreError(
      .other, doing: doing, subject: path, detail: "there is a file already",
      remedy: "open it, or choose another path")
  }
}

/// What is written into a new store.
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

  /// Sets what must be set before there are tables.
  func prepare(_ database: Database) throws {
    if case .coreData(let contents) = self { try contents.prepare(database) }
  }

  /// Writes everything, inside a transaction.
  func write(to database: Database) throws {
    switch self {
    case .plain(let blueprint, let stored):
      for statement in blueprint.statements { try database.execute(sql: statement) }
      try stored.write(to: database)
    case .coreData(let contents): try contents.write(to: database)
    }
  }
}

import Foundation
import ObjectModel
import SQLiteStore
import TestSupport
import Testing

/// Tests that reading changes no file of real stores, and that a backup is made before a save.
struct RealStoreOpeningTests {
  /// Copies a real store with its write-ahead log.
  private func copy(_ name: String) throws -> TemporaryDatabase {
    let database = try TemporaryDatabase(name: name)
    try RealStores.copy(name, to: database.folder)
    return database
  }

  private func readAll(_ store: SQLiteStore) throws {
    let watching = store.observeForeignChanges {}
    defer { watching.cancel() }
    for entity in store.model.entities {
      let ids = Array(try store.fetch(FetchPlan(entityName: entity.name), control: nil).ids)
      let first = Array(ids.prefix(20))
      _ = try store.snapshots(of: first)
      for relationship in entity.relationships where !first.isEmpty {
        _ = try store.destinations(of: relationship.name, from: first)
      }
    }
    _ = (store.summary, store.warningsBeforeWriting())
  }

  @Test(
    .needsRealStores, arguments: RealStores.coreDataNames)
  func `reading a real store changes no file's bytes, name or modification time`(_ name: String)
    throws
  {
    let database = try copy(name)
    let before = try FolderSnapshot(database.folder)
    do {
      let store = try database.open()
      try readAll(store)
      #expect(try FolderSnapshot(database.folder) == before)
    }
    #expect(try FolderSnapshot(database.folder) == before)
  }

  @Test(.needsRealStores)
  func `a real store is backed up once, before its first save, with its write-ahead log`() throws {
    let name = "bookmarks-v5.sqlite"
    let database = try copy(name)
    let original = try copy(name)
    let store = try database.open()
    #expect(store.backupPath == nil)
    _ = try store.save(SaveRequest())
    _ = try store.save(SaveRequest())
    let path = try #require(store.backupPath)
    #expect(try database.files.filter { $0.contains(".backup-") }.count == 1)
    let (kept, untouched) = (try SQLiteStore.open(path: path), try original.open())
    #expect(kept.model == untouched.model)
    for entity in kept.model.entities {
      let plan = FetchPlan(entityName: entity.name)
      #expect(try kept.count(plan, control: nil) == untouched.count(plan, control: nil))
    }
  }

  @Test(.needsRealStores)
  func `no backup is made if the options turn it off`() throws {
    let database = try copy("posts-v3.sqlite")
    let store = try database.open(.init(busyTimeout: 1, makesBackup: false))
    _ = try store.save(SaveRequest())
    #expect(store.backupPath == nil)
    #expect(try !database.files.contains { $0.contains(".backup-") })
  }
}

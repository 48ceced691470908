import Foundation
import ObjectModel
import SQLiteStore
import TestSupport
import Testing

/// Real stores stay as they are when they are looked at, and are copied before they are written.
struct RealStoreOpeningTests {
  /// Copies a real store with its log.
  private func copy(_ name: String) throws -> TemporaryDatabase {
    let database = try TemporaryDatabase(name: name)
    try RealStores.copy(name, to: database.folder)
    return database
  }

  private func lookAtAll(_ store: SQLiteStore) throws {
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
  func `looking at a real store leaves every byte, name and time`(_ name: String) throws {
    let database = try copy(name)
    let before = try FolderPicture(database.folder)
    do {
      let store = try database.open()
      try lookAtAll(store)
      #expect(try FolderPicture(database.folder) == before)
    }
    #expect(try FolderPicture(database.folder) == before)
  }

  @Test(.needsRealStores)
  func `a real store is copied once, before its first save, with its log`() throws {
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
  func `no copy is made where none is wanted`() throws {
    let database = try copy("posts-v3.sqlite")
    let store = try database.open(.init(busyTimeout: 1, makesBackup: false))
    _ = try store.save(SaveRequest())
    #expect(store.backupPath == nil)
    #expect(try !database.files.contains { $0.contains(".backup-") })
  }
}

import Foundation
import GRDB
import ObjectModel
import SQLiteStore
import Testing

/// Tests that reading a database changes no file, in whatever state it was left.
struct NoTraceTests {
  /// Calls every method that only reads, and returns the number of rows.
  private func read(_ store: SQLiteStore) throws -> Int {
    let watching = store.observeForeignChanges {}
    defer { watching.cancel() }
    let ids = Array(try store.fetch(FetchPlan(entityName: "t"), control: nil).ids)
    #expect(try store.snapshots(of: ids).count == ids.count)
    for id in ids { _ = try store.value(of: "a", for: id) }
    _ = store.summary
    _ = store.warningsBeforeWriting()
    #expect(try store.explain(SaveRequest()) == [])
    #expect(try store.count(FetchPlan(entityName: "t"), control: nil) == ids.count)
    return ids.count
  }

  @Test(arguments: StoreAtRest.allCases, [true, false])
  func `reading changes no file's bytes, name or modification time`(
    _ rest: StoreAtRest, _ isReadOnly: Bool
  ) throws {
    let database = try rest.make()
    let before = try FolderSnapshot(database.folder)
    for _ in 0..<2 {
      let store = try database.open(.init(isReadOnly: isReadOnly, busyTimeout: 1))
      #expect(try read(store) == rest.rowCount)
      #expect(try FolderSnapshot(database.folder) == before)
    }
    #expect(try FolderSnapshot(database.folder) == before)
  }

  @Test(arguments: StoreAtRest.allCases)
  func `a symbolic link reads the write-ahead log beside its target`(_ rest: StoreAtRest)
    throws
  {
    let database = try rest.make()
    let place = try TemporaryDatabase()
    let link = place.folder.appendingPathComponent("link.sqlite").path
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: database.path)
    let before = try (FolderSnapshot(database.folder), place.files)
    #expect(try read(SQLiteStore.open(path: link)) == rest.rowCount)
    #expect(try FolderSnapshot(database.folder) == before.0)
    #expect(try place.files == before.1)
  }

  @Test(
    .disabled(if: geteuid() == 0, "root bypasses file permissions"),
    arguments: StoreAtRest.allCases, [mode_t(0o444), 0o644])
  func `reading works with read-only files in a read-only directory`(
    _ rest: StoreAtRest, _ mode: mode_t
  ) throws {
    let database = try rest.make()
    for file in try database.files {
      chmod(database.folder.appendingPathComponent(file).path, mode)
    }
    chmod(database.folder.path, 0o555)
    defer { chmod(database.folder.path, 0o755) }
    let before = try FolderSnapshot(database.folder)
    #expect(try read(database.open()) == rest.rowCount)
    #expect(try FolderSnapshot(database.folder) == before)
  }

  @Test(arguments: StoreAtRest.allCases)
  func `a save after reading writes to the file itself`(_ rest: StoreAtRest) throws {
    let database = try rest.make()
    do {
      let store = try database.open()
      #expect(store.summary.readOnlyReason == nil)
      #expect(try read(store) == rest.rowCount)
      let id = ObjectID(storeIdentifier: "", entityName: "t", key: .temporary(1))
      _ = try store.save(SaveRequest(inserted: [RowChange(id: id, values: ["a": 9])]))
      #expect(try read(store) == rest.rowCount + 1)
    }
    // The store may still be closing its connections.
    let other = try database.connect(busyTimeout: 5)
    #expect(
      try other.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") } == rest.rowCount + 1)
    #expect(try other.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") } == "ok")
  }

  @Test(arguments: StoreAtRest.allCases)
  func `another program can write while the store is open, and its rows are seen`(
    _ rest: StoreAtRest
  ) throws {
    let database = try rest.make()
    let store = try database.open()
    #expect(try read(store) == rest.rowCount)
    guard rest != .hotJournal else { return }  // A private copy is read: no other program sees it.
    for number in 1...3 {
      let other = try database.connect(busyTimeout: 1)
      try other.writeWithoutTransaction { connection in
        try connection.execute(sql: "INSERT INTO t (a) VALUES (?)", arguments: [number])
        if number == 2 { try connection.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
      }
      #expect(try store.count(FetchPlan(entityName: "t"), control: nil) == rest.rowCount + number)
      try other.close()
      #expect(try read(store) == rest.rowCount + number)
    }
  }

  @Test func `the private copy of a store with a hot journal is deleted as soon as it is open`()
    throws
  {
    let folders = [
      ProcessInfo.processInfo.environment["XDG_CACHE_HOME"].map { $0 + "/cardfile" },
      ProcessInfo.processInfo.environment["HOME"].map { $0 + "/.cache/cardfile" },
      FileManager.default.temporaryDirectory.path,
    ].compactMap(\.self)
    let store = try StoreAtRest.hotJournal.make().open()
    // Other tests may be making copies at this moment: wait until those are deleted too.
    let isClean = (0..<100).contains { _ in
      let left = folders.flatMap {
        (try? FileManager.default.contentsOfDirectory(atPath: $0)) ?? []
      }.filter { $0.hasPrefix(".cardfile-") }
      if !left.isEmpty { usleep(20_000) }
      return left.isEmpty
    }
    #expect(isClean)
    #expect(try read(store) == 2)
  }
}

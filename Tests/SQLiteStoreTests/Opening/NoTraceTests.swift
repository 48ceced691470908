import Foundation
import GRDB
import ObjectModel
import SQLiteStore
import Testing

/// Looking at a database changes nothing, however it was left behind.
struct NoTraceTests {
  /// Does everything that only reads.
  private func look(at store: SQLiteStore) throws -> Int {
    let watching = store.observeForeignChanges {}
    defer { watching.cancel() }
    let ids = Array(try store.fetch(FetchPlan(entityName: "t"), control: nil).ids)
    #expect(try store.snapshots(of: ids).count == ids.count)
    for id in ids { _ = try store.value(of: "a", for: id) }
    _ = store.summary
    _ = store.warningsBeforeWriting()
    _ = store.explain(SaveRequest(deleted: []))
    #expect(try store.count(FetchPlan(entityName: "t"), control: nil) == ids.count)
    return ids.count
  }

  @Test(arguments: StoreAtRest.allCases, [true, false])
  func `looking leaves every byte, name and time`(_ rest: StoreAtRest, _ isReadOnly: Bool) throws {
    let database = try rest.make()
    let before = try FolderPicture(database.folder)
    for _ in 0..<2 {
      let store = try database.open(.init(isReadOnly: isReadOnly, busyTimeout: 1))
      #expect(try look(at: store) == rest.rowCount)
      #expect(try FolderPicture(database.folder) == before)
    }
    #expect(try FolderPicture(database.folder) == before)
  }

  @Test(arguments: StoreAtRest.allCases)
  func `looking through a link reads the log beside the file it leads to`(_ rest: StoreAtRest)
    throws
  {
    let database = try rest.make()
    let place = try TemporaryDatabase()
    let link = place.folder.appendingPathComponent("link.sqlite").path
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: database.path)
    let before = try (FolderPicture(database.folder), place.files)
    #expect(try look(at: SQLiteStore.open(path: link)) == rest.rowCount)
    #expect(try FolderPicture(database.folder) == before.0)
    #expect(try place.files == before.1)
  }

  @Test(
    .disabled(if: geteuid() == 0, "the system allows root everything"),
    arguments: StoreAtRest.allCases, [mode_t(0o444), 0o644])
  func `looking works where nothing can be written`(_ rest: StoreAtRest, _ mode: mode_t) throws {
    let database = try rest.make()
    for file in try database.files {
      chmod(database.folder.appendingPathComponent(file).path, mode)
    }
    chmod(database.folder.path, 0o555)
    defer { chmod(database.folder.path, 0o755) }
    let before = try FolderPicture(database.folder)
    #expect(try look(at: database.open()) == rest.rowCount)
    #expect(try FolderPicture(database.folder) == before)
  }

  @Test(arguments: StoreAtRest.allCases)
  func `a save after looking goes into the file itself`(_ rest: StoreAtRest) throws {
    let database = try rest.make()
    do {
      let store = try database.open()
      #expect(store.summary.readOnlyReason == nil)
      #expect(try look(at: store) == rest.rowCount)
      let id = ObjectID(storeIdentifier: "", entityName: "t", key: .temporary(1))
      _ = try store.save(SaveRequest(inserted: [RowChange(id: id, values: ["a": 9])]))
      #expect(try look(at: store) == rest.rowCount + 1)
    }
    let other = try database.connect()
    #expect(
      try other.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") } == rest.rowCount + 1)
    #expect(try other.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") } == "ok")
  }

  @Test(arguments: StoreAtRest.allCases)
  func `a program that comes while we look is seen, and can write`(_ rest: StoreAtRest) throws {
    let database = try rest.make()
    let store = try database.open()
    #expect(try look(at: store) == rest.rowCount)
    guard rest != .hotJournal else { return }  // A copy is read, which nobody else changes.
    for number in 1...3 {
      let other = try database.connect(busyTimeout: 1)
      try other.writeWithoutTransaction { connection in
        try connection.execute(sql: "INSERT INTO t (a) VALUES (?)", arguments: [number])
        if number == 2 { try connection.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
      }
      #expect(try store.count(FetchPlan(entityName: "t"), control: nil) == rest.rowCount + number)
      try other.close()
      #expect(try look(at: store) == rest.rowCount + number)
    }
  }

  @Test func `the copy of a store with a cut off change is gone as soon as it is open`() throws {
    let folders = [
      ProcessInfo.processInfo.environment["XDG_CACHE_HOME"].map { $0 + "/cardfile" },
      ProcessInfo.processInfo.environment["HOME"].map { $0 + "/.cache/cardfile" },
      FileManager.default.temporaryDirectory.path,
    ].compactMap(\.self)
    let store = try StoreAtRest.hotJournal.make().open()
    // Other tests may be making copies right now: a moment later those are gone too.
    let isClean = (0..<100).contains { _ in
      let left = folders.flatMap {
        (try? FileManager.default.contentsOfDirectory(atPath: $0)) ?? []
      }.filter { $0.hasPrefix("cardfile-copy-") }
      if !left.isEmpty { usleep(20_000) }
      return left.isEmpty
    }
    #expect(isClean)
    #expect(try look(at: store) == 2)
  }
}

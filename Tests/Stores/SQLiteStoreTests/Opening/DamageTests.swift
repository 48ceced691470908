import Foundation
import ObjectModel
import SQLiteStore
import TestSupport
import Testing

/// Tests that damaged databases and logs are read as far as possible or refused, without a crash or
/// an endless loop.
struct DamageTests {
  @Test(arguments: [StoreAtRest.rollbackJournal, .logFilled, .logFilledWithIndex, .hotJournal])
  func `damaged files give rows or an error but never crash`(_ rest: StoreAtRest) throws {
    let database = try rest.make()
    let whole = try FolderSnapshot(database.folder)
    var random = SeededGenerator(seed: 7)
    for round in 0..<60 {
      for (name, file) in whole.files {
        var bytes = file.bytes
        if round % 3 == 0 { bytes = bytes.prefix(Int(random.next() % UInt64(bytes.count + 1))) }
        for _ in 0..<(round % 7) where !bytes.isEmpty {
          // In every other round, damage the headers only.
          let limit = round % 2 == 0 ? min(bytes.count, 128) : bytes.count
          bytes[Int(random.next() % UInt64(limit))] = UInt8(truncatingIfNeeded: random.next())
        }
        try bytes.write(to: database.folder.appendingPathComponent(name))
      }
      let before = try FolderSnapshot(database.folder)
      let start = ContinuousClock.now
      readAll(database)
      #expect(.now - start < .seconds(20))
      #expect(try FolderSnapshot(database.folder) == before)
    }
  }

  private func readAll(_ database: TemporaryDatabase) {
    do {
      let store = try database.open(.init(busyTimeout: 0.1))
      let ids = Array(try store.fetch(FetchPlan(entityName: "t"), control: nil).ids)
      _ = try store.snapshots(of: ids)
    } catch {
      #expect(!error.description.isEmpty)
    }
  }
}

import Foundation
import ObjectModel
import SQLiteStore
import TestSupport
import Testing

/// Damaged databases and logs are read as far as they can be, or refused; they never crash or hang us.
struct DamageTests {
  @Test(arguments: [StoreAtRest.rollbackJournal, .logFilled, .logFilledWithIndex, .hotJournal])
  func `damaged bytes end in rows or in an error`(_ rest: StoreAtRest) throws {
    let database = try rest.make()
    let whole = try FolderPicture(database.folder)
    var random = SeededGenerator(seed: 7)
    for round in 0..<60 {
      for (name, file) in whole.files {
        var bytes = file.bytes
        if round % 3 == 0 { bytes = bytes.prefix(Int(random.next() % UInt64(bytes.count + 1))) }
        for _ in 0..<(round % 7) where !bytes.isEmpty {
          // Headers matter most.
          let limit = round % 2 == 0 ? min(bytes.count, 128) : bytes.count
          bytes[Int(random.next() % UInt64(limit))] = UInt8(truncatingIfNeeded: random.next())
        }
        try bytes.write(to: database.folder.appendingPathComponent(name))
      }
      let before = try FolderPicture(database.folder)
      let start = ContinuousClock.now
      look(at: database)
      #expect(.now - start < .seconds(20))
      #expect(try FolderPicture(database.folder) == before)
    }
  }

  private func look(at database: TemporaryDatabase) {
    do {
      let store = try database.open(.init(busyTimeout: 0.1))
      let ids = Array(try store.fetch(FetchPlan(entityName: "t"), control: nil).ids)
      _ = try store.snapshots(of: ids)
    } catch {
      #expect(!error.description.isEmpty)
    }
  }
}

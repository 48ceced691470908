import Foundation
import SQLiteStore
import Testing

/// A real store, copied with its journal into a folder of its own, which goes with it.
final class StoreCopy: Sendable {
  let store: SQLiteStore
  let database: TemporaryDatabase

  init(_ name: String, options: SQLiteStore.Options = .init()) throws {
    let stores = try #require(sharedStores)
    database = try TemporaryDatabase(name: name)
    for suffix in ["", "-wal"] {
      let original = stores.appendingPathComponent("coredata/\(name)\(suffix)")
      guard FileManager.default.fileExists(atPath: original.path) else { continue }
      let copy = database.folder.appendingPathComponent(name + suffix)
      try FileManager.default.copyItem(at: original, to: copy)
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: copy.path)
    }
    store = try database.open(options)
  }
}

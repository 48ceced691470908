import Foundation
import SQLiteStore
import TestSupport
import Testing

/// A real store, copied with its journal into a folder of its own, which goes with it.
final class StoreCopy: Sendable {
  let store: SQLiteStore
  let database: TemporaryDatabase

  init(_ name: String, options: SQLiteStore.Options = .init()) throws {
    database = try TemporaryDatabase(name: name)
    try RealStores.copy(name, to: database.folder)
    store = try database.open(options)
  }
}

import Foundation
import SQLiteStore
import TestSupport
import Testing

/// A copy of a real store with its journal, in a temporary folder.
final class StoreCopy: Sendable {
  let store: SQLiteStore
  let database: TemporaryDatabase

  init(_ name: String, options: SQLiteStore.Options = .init()) throws {
    database = try TemporaryDatabase(name: name)
    try RealStores.copy(name, to: database.folder)
    store = try database.open(options)
  }
}

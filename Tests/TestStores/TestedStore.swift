import ManagedObjects
package import ObjectModel
import SQLiteStore
package import TestSupport

/// The stores that behaviours are tested on: what a programmer relies on does not depend on where the
/// objects are kept.
package enum TestedStore: String, CaseIterable, Sendable, CustomStringConvertible {
  /// Objects in memory.
  case memory
  /// A database with plain tables.
  case plain
  /// A database with Core Data's tables.
  case coreData

  package var description: String { rawValue }

  /// Makes a new, empty store.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - path: The path of the file, if the store has one.
  /// - Returns: The store.
  /// - Throws: `StoreError`.
  package func makeStore(_ model: ManagedObjectModel, at path: String) throws
    -> any PersistentStore
  {
    switch self {
    case .memory: InMemoryStore(model: model, name: path.lastPathPart, cutLength: 64 * 1024)
    case .plain: try SQLiteStore.create(path: path, model: model, layout: .plain)
    case .coreData:
      try SQLiteStore.create(path: path, model: model, layout: .coreData(CoreDataCreation()))
    }
  }

  /// Makes a new, empty store, in the file `store` of a folder if it has one.
  package func makeStore(_ model: ManagedObjectModel, in folder: TemporaryFolder) throws
    -> any PersistentStore
  { try makeStore(model, at: folder.path("store")) }
}

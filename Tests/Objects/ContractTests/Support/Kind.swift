import ManagedObjects
import ObjectModel
import SQLiteStore
import TestSupport

/// The stores that every behaviour is tested on: what a programmer relies on does not depend on
/// where the objects are kept.
enum Kind: String, CaseIterable, Sendable, CustomStringConvertible {
  case memory, plain, coreData

  var description: String { rawValue }

  /// A new, empty store; it uses the folder if it has a file.
  func makeStore(_ model: ManagedObjectModel, in folder: TemporaryFolder) throws
    -> any PersistentStore
  {
    switch self {
    case .memory: InMemoryStore(model: model)
    case .plain:
      try SQLiteStore.create(path: folder.path("store"), model: model, layout: .plain)
    case .coreData:
      try SQLiteStore.create(
        path: folder.path("store"), model: model, layout: .coreData(CoreDataCreation()))
    }
  }
}

/// What each behaviour is tested on.
let stores = Kind.allCases

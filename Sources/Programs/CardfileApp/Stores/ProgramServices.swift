import Foundation
package import ManagedObjects
package import ObjectModel

/// A store that was opened for the application.
package struct StoreAccess {
  /// The store.
  package var coordinator: PersistentStoreCoordinator
  /// The features of this kind of store.
  package var services: StoreServices
  /// Keeps choices and histories between runs; nil to forget them at the end.
  package var keeper: (any StateKeeping)?
  /// Runs once, after the store has been drawn for the first time: work that must not delay that.
  package var whenShown: (@MainActor () -> Void)?

  /// Describes an open store.
  package init(
    _ coordinator: PersistentStoreCoordinator, services: StoreServices = StoreServices(),
    keeper: (any StateKeeping)? = nil
  ) {
    self.coordinator = coordinator
    self.services = services
    self.keeper = keeper
  }

  /// An empty store, while none is open.
  static var empty: StoreAccess {
    let store = InMemoryStore(model: ManagedObjectModel(entities: []), name: "cardfile")
    return StoreAccess(PersistentStoreCoordinator(store: store))
  }
}

/// A database that the start screen offers.
package nonisolated struct StoreChoice: Hashable, Sendable {
  /// Why it is offered.
  package enum Group: String, Hashable, Sendable, CaseIterable {
    /// It was opened in a former run.
    case recent = "Opened before"
    /// It is in the current folder.
    case here = "In this folder"
  }

  /// The path.
  package var path: String
  /// Why it is offered.
  package var group: Group
  /// The kind, such as "Core Data store".
  package var kind: String
  /// The size of the file in bytes.
  package var byteCount: Int
  /// The folder as it is shown; empty for the current one.
  package var folder: String

  /// Creates a choice.
  package init(path: String, group: Group, kind: String, byteCount: Int, folder: String) {
    self.path = path
    self.group = group
    self.kind = kind
    self.byteCount = byteCount
    self.folder = folder
  }

  /// The name of the file.
  package var name: String { URL(fileURLWithPath: path).lastPathComponent }
}

/// The store of the command line, while another program keeps it locked.
package struct LockedStore {
  /// The path.
  package var path: String
  /// Opens the store, or a copy of it, with the options of the command line.
  package var open: @MainActor (_ asCopy: Bool) throws -> (StoreAccess, AppOptions)

  /// Describes a store that could not be opened yet.
  package init(
    path: String, open: @escaping @MainActor (_ asCopy: Bool) throws -> (StoreAccess, AppOptions)
  ) {
    self.path = path
    self.open = open
  }

  var name: String { URL(fileURLWithPath: path).lastPathComponent }
}

/// What the program does for the application beyond the open store: files, other stores and the
/// clipboard.
package struct ProgramServices {
  /// Opens the store at a path by the settings, with what the person says that columns are besides
  /// what is remembered; the description of the error is for the person.
  package var open: @MainActor (String, Settings, [String: ColumnKind]) throws -> StoreAccess = {
    path, _, _ in throw NoStores(path: path)
  }
  /// Opens a copy of the store at a path, as it is now, though another program keeps it locked.
  package var openCopy: @MainActor (String, Settings, [String: ColumnKind]) throws -> StoreAccess =
    {
      path, _, _ in throw NoStores(path: path)
    }
  /// The databases to offer: those opened before, and those in the current folder.
  package var storeChoices: @MainActor () -> [StoreChoice] = { [] }
  /// The paths that begin with a typed one; folders end in a slash.
  package var completePath: @MainActor (String) -> [String] = { _ in [] }
  /// Copies a text with a clipboard tool and returns the tool's name; nil if there is no tool.
  package var copy: (@Sendable (String) -> String?)?

  /// Makes services without any function, to be set one by one.
  package init() {}

  private nonisolated struct NoStores: Error, CustomStringConvertible {
    let path: String
    var description: String { "\(path) cannot be opened here" }
  }
}

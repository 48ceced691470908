import Foundation
public import ManagedObjects
public import ObjectModel

/// A store that was opened for the application.
public struct StoreAccess {
  /// The store.
  public var coordinator: PersistentStoreCoordinator
  /// The features of this kind of store.
  public var services: StoreServices
  /// Keeps choices and histories between runs; nil to forget them at the end.
  public var keeper: (any StateKeeping)?
  /// Runs once, after the store has been drawn for the first time: work that must not delay that.
  public var whenShown: (@MainActor () -> Void)?

  /// Describes an open store.
  public init(
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
public nonisolated struct StoreChoice: Hashable, Sendable {
  /// Why it is offered.
  public enum Group: String, Hashable, Sendable, CaseIterable {
    /// It was opened in a former run.
    case recent = "Opened before"
    /// It is in the current folder.
    case here = "In this folder"
  }

  /// The path.
  public var path: String
  /// Why it is offered.
  public var group: Group
  /// The kind, such as "Core Data store".
  public var kind: String
  /// The size of the file in bytes.
  public var byteCount: Int
  /// The folder as it is shown; empty for the current one.
  public var folder: String

  /// Creates a choice.
  public init(path: String, group: Group, kind: String, byteCount: Int, folder: String) {
    self.path = path
    self.group = group
    self.kind = kind
    self.byteCount = byteCount
    self.folder = folder
  }

  /// The name of the file.
  public var name: String { URL(fileURLWithPath: path).lastPathComponent }
}

/// The store of the command line, while another program keeps it locked.
public struct LockedStore {
  /// The path.
  public var path: String
  /// Opens the store, or a copy of it, with the options of the command line.
  public var open: @MainActor (_ asCopy: Bool) throws -> (StoreAccess, AppOptions)

  /// Describes a store that could not be opened yet.
  public init(
    path: String, open: @escaping @MainActor (_ asCopy: Bool) throws -> (StoreAccess, AppOptions)
  ) {
    self.path = path
    self.open = open
  }

  var name: String { URL(fileURLWithPath: path).lastPathComponent }
}

/// What the program does for the application beyond the open store: files, other stores and the
/// clipboard.
public struct ProgramServices {
  /// Opens the store at a path by the settings, with what the person says that columns are besides
  /// what is remembered; the description of the error is for the person.
  public var open: @MainActor (String, Settings, [String: ColumnKind]) throws -> StoreAccess = {
    path, _, _ in throw NoStores(path: path)
  }
  /// Opens a copy of the store at a path, as it is now, though another program keeps it locked.
  public var openCopy: @MainActor (String, Settings, [String: ColumnKind]) throws -> StoreAccess = {
    path, _, _ in throw NoStores(path: path)
  }
  /// The databases to offer: those opened before, and those in the current folder.
  public var storeChoices: @MainActor () -> [StoreChoice] = { [] }
  /// The paths that begin with a typed one; folders end in a slash.
  public var completePath: @MainActor (String) -> [String] = { _ in [] }
  /// Copies a text with a clipboard tool and returns the tool's name; nil if there is no tool.
  public var copy: (@Sendable (String) -> String?)?

  /// Makes services without any function, to be set one by one.
  public init() {}

  private nonisolated struct NoStores: Error, CustomStringConvertible {
    let path: String
    var description: String { "\(path) cannot be opened here" }
  }
}

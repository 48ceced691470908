import AtomicStores
import Foundation
public import ManagedObjects
public import ObjectModel
public import RESTStore
import SQLiteStore

extension PersistentContainer {
  /// Opens the store with a name in the program's data folder, or creates it.
  ///
  /// The file is `NAME.sqlite` in the program's folder in `$XDG_DATA_HOME` or `~/.local/share`, unless
  /// another path is given, as by an argument of the program.
  ///
  /// - Parameters:
  ///   - name: The name of the store.
  ///   - path: The path of the file; nil for the one in the program's data folder.
  ///   - model: The model; nil for the one that `entityClasses` declare; if they declare none, the
  ///     model file of that name in the program's resources; if there is none and the store exists,
  ///     the store's own model.
  ///   - options: The options of the store.
  ///   - entityClasses: The classes of entities, for all contexts.
  /// - Throws: As ``init(path:model:options:entityClasses:)``; `ManagedObjectError` if there is no
  ///   model.
  public convenience init(
    _ name: String, path: String? = nil, model: ManagedObjectModel? = nil,
    options: StoreOptions = StoreOptions(), entityClasses: [any EntityClass.Type] = []
  ) throws {
    let folder = StoreLocation.folder(ofApplication: StoreLocation.programName)
    let path = path ?? "\(folder)/\(name).sqlite"
    let isNew = !FileManager.default.fileExists(atPath: path)
    var model = try model ?? ManagedObjectModel.declared(by: entityClasses)
    if model == nil {
      do {
        model = try ModelLibrary.program.model(named: name)
      } catch let error as ManagedObjectError where error.reason == .modelNotFound {
        guard FileManager.default.fileExists(atPath: path) else { throw error }
      }
    }
    self.init(
      store: try Self.openStore(path: path, model: model, options: options), isNew: isNew,
      name: name, entityClasses: entityClasses)
  }

  /// Opens the store at a path, or creates it if there is no file.
  ///
  /// What the file is decides how it is read: a Core Data or SwiftData store, also one in XML, a store
  /// that this package created, or any other SQLite database, whose tables become entities.
  ///
  /// - Parameters:
  ///   - path: The path of the file. Its folder is created with the store.
  ///   - model: The model that the store must have, or is migrated to; nil for the one that
  ///     `entityClasses` declare; if they declare none, the store's own, whatever it is.
  ///   - options: The options of the store.
  ///   - entityClasses: The classes of entities, for all contexts.
  /// - Throws: `StoreError` if the file cannot be opened or created, or has another model and cannot
  ///   be migrated: then the error names what differs, or why no migration can be inferred, and the
  ///   file is unchanged. `ModelError` for what the classes declare.
  public convenience init(
    path: String, model: ManagedObjectModel? = nil, options: StoreOptions = StoreOptions(),
    entityClasses: [any EntityClass.Type] = []
  ) throws {
    let isNew = !FileManager.default.fileExists(atPath: path)
    let model = try model ?? ManagedObjectModel.declared(by: entityClasses)
    self.init(
      store: try Self.openStore(path: path, model: model, options: options), isNew: isNew,
      name: URL(filePath: path).deletingPathExtension().lastPathComponent,
      entityClasses: entityClasses)
  }

  /// Opens or creates a store for each of several configurations of a model: `CombinedStore`.
  ///
  /// - Parameters:
  ///   - name: The name of the container.
  ///   - model: The model; each of its entities must be in one of the configurations.
  ///   - configurations: The configurations and their files.
  ///   - entityClasses: The classes of entities, for all contexts.
  /// - Throws: `ManagedObjectError` for a configuration that the model does not have; `StoreError` if
  ///   a store cannot be opened, or a relationship leads from one into another.
  public convenience init(
    _ name: String, model: ManagedObjectModel, configurations: [StoreConfiguration],
    entityClasses: [any EntityClass.Type] = []
  ) throws {
    var isNew = true
    let stores = try configurations.map { configuration -> any PersistentStore in
      guard let part = model.part(configuration.name) else {
        throw ManagedObjectError(
          .modelNotFound, doing: "opening a store", subject: configuration.name,
          detail: "the model has no such configuration",
          remedy: "use one of \(model.details.configurations.keys.sorted().joined(separator: ", "))"
        )
      }
      guard let path = configuration.path else { return InMemoryStore(model: part) }
      if FileManager.default.fileExists(atPath: path) { isNew = false }
      return try Self.openStore(path: path, model: part, options: configuration.options)

    }
    self.init(
      store: try CombinedStore(stores, model: model), isNew: isNew, name: name,
      entityClasses: entityClasses)
  }

  /// Opens a service, with a cache in the user's cache folder: what was read is there at once.
  ///
  /// - Parameters:
  ///   - client: What is known of the service, a `RESTClient` or a subclass of the program's own.
  ///   - transport: What sends its requests.
  ///   - options: How it is talked to.
  ///   - entityClasses: The classes of entities, for all contexts.
  /// - Throws: `StoreError` if the cache cannot be used; the service is asked by the first fetch.
  public convenience init(
    service client: sending RESTClient, over transport: any HTTPTransport = CurlTransport(),
    options: RESTOptions = RESTOptions(), entityClasses: [any EntityClass.Type] = []
  ) throws {
    self.init(
      store: try Self.openService(client, over: transport, options: options),
      entityClasses: entityClasses)
  }

  /// Opens a service, with a cache in the user's cache folder or in memory.
  static func openService(
    _ client: sending RESTClient, over transport: any HTTPTransport, options: RESTOptions,
    inMemory: Bool = false
  ) throws(StoreError) -> RESTStore {
    let model = RESTStore.cacheModel(for: client.model)
    let cache: any PersistentStore =
      inMemory
      ? InMemoryStore(model: model)
      : SQLiteStore.cache(of: client.baseURL.absoluteString, model: model)
    return try RESTStore(client, over: transport, cache: cache, options: options)
  }

  /// Creates a store in memory, for tests and previews; it ends with its last context.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - entityClasses: The classes of entities, for all contexts.
  public convenience init(
    inMemory model: ManagedObjectModel, entityClasses: [any EntityClass.Type] = []
  ) {
    self.init(
      store: InMemoryStore(model: model), isNew: true, name: "memory",
      entityClasses: entityClasses)
  }

  /// Creates a store in memory with the model that classes declare, for tests and previews.
  ///
  /// - Parameters:
  ///   - type: A class.
  ///   - others: The others.
  /// - Throws: `ModelError` for what the classes declare.
  public convenience init(
    inMemory type: any EntityClass.Type, _ others: any EntityClass.Type...
  ) throws {
    let classes = [type] + others
    self.init(inMemory: try ManagedObjectModel(entityClasses: classes), entityClasses: classes)
  }

  /// Opens the store at a path; creates it, with its folder, if there is a model and no file.
  static func openStore(
    path: String, model: ManagedObjectModel?, options: StoreOptions
  ) throws -> any PersistentStore {
    if let model, !options.isReadOnly, !FileManager.default.fileExists(atPath: path) {
      try StoreLocation.makeFolder(of: path)
      return switch options.type {
      case .sqlite:
        try SQLiteStore.create(path: path, model: model, layout: options.layout.creation)
      case .xml: try XMLStore.create(path: path, model: model)
      case .binary: try JSONStore.create(path: path, model: model)
      case .inMemory: InMemoryStore(model: model)
      }
    }
    do throws(StoreError) {
      let store = SQLiteStore.Options(isReadOnly: options.isReadOnly, expectedModel: model)
      guard let model, options.migratesAutomatically else {
        return try SQLiteStore.open(path: path, options: store)
      }
      return try SQLiteStore.openMigrating(
        path: path, options: store, infers: options.infersMappingModel
      ) { store throws(StoreError) in
        ModelLibrary.program.mappingModel(
          from: store.model, hashes: try store.storedVersionHashes(), to: model)
      }
    } catch {
      // Only what is no database is opened otherwise: closing a file ends SQLite's locks on it.
      guard error.reason == .notADatabase,
        let store = try openFileStore(path: path, model: model, options: options)
      else { throw error }
      return store
    }
  }

  /// Opens a store that is read whole, and migrates it before if it has another model; nil if the file
  /// is none.
  private static func openFileStore(
    path: String, model: ManagedObjectModel?, options: StoreOptions
  ) throws(StoreError) -> (any PersistentStore)? {
    let mayMigrate = options.migratesAutomatically && !options.isReadOnly
    func migrate(_ store: some MigratingFileStore, hashes: [String: Data]) throws(StoreError) {
      guard let model else { return }
      let mapping = ModelLibrary.program.mappingModel(
        from: store.model, hashes: hashes, to: model)
      guard options.infersMappingModel || mapping != nil else { return }
      try store.migrate(try store.migration(to: model, mapping: mapping))
    }
    if JSONStore.recognizes(path) {
      let store = try JSONStore(path: path, isReadOnly: options.isReadOnly)
      guard let model, !store.model.differences(from: model).isEmpty else { return store }
      if mayMigrate { try migrate(store, hashes: [:]) }
      return try JSONStore(path: path, isReadOnly: options.isReadOnly, expectedModel: model)
    }
    guard XMLStore.recognizes(path) else { return nil }
    var xml = XMLStore.Options()
    (xml.isReadOnly, xml.forcesTypes) = (options.isReadOnly, true)
    if let model, mayMigrate,
      let former = try XMLStore.former(
        path: path, options: xml, model, among: ModelLibrary.program.versions)
    {
      try migrate(former, hashes: former.versionHashes)
    }
    return try XMLStore(path: path, options: xml, expectedModel: model)
  }
}

/// The options with which a ``PersistentContainer`` opens or creates its store.
public struct StoreOptions: Hashable, Sendable {
  /// The layout of the tables of an SQLite store.
  public enum Layout: Hashable, Sendable {
    /// A table for each entity, with a column for each attribute.
    case plain
    /// Core Data's tables, on request with those of persistent history.
    case coreData(keepsHistory: Bool = false)

    fileprivate var creation: SQLiteStore.CreationLayout {
      switch self {
      case .plain: .plain
      case .coreData(let keepsHistory): .coreData(CoreDataCreation(keepsHistory: keepsHistory))
      }
    }
  }

  /// Whether the store is opened read-only; then it is not created either.
  public var isReadOnly: Bool
  /// The layout of the tables if the store is created: plain tables, or those of Core Data.
  ///
  /// An existing store keeps its own.
  public var layout: Layout
  /// The type of the store if it is created; what a file that exists is decides how it is read.
  public var type: StoreType
  /// Whether a store with another model is migrated when it is opened; if not, opening it is an error
  /// that names what differs.
  ///
  /// After a crash the store is as it was, or has the new model.
  public var migratesAutomatically = true
  /// Whether the mapping from the store's model to the new one is inferred, as far as it can be, if
  /// no mapping model of the program maps between them.
  ///
  /// `ModelDifference.refusals` says why it cannot. If not, a store with another model is only
  /// migrated by a mapping model.
  public var infersMappingModel = true

  /// Creates options.
  public init(
    isReadOnly: Bool = false, layout: Layout = .plain, type: StoreType = .sqlite
  ) {
    self.isReadOnly = isReadOnly
    self.layout = layout
    self.type = type
  }
}

/// Where the entities of a configuration of a model are stored.
public struct StoreConfiguration: Hashable, Sendable {
  /// The name of the configuration in the model.
  public var name: String
  /// The path of the file; nil for memory.
  public var path: String?
  /// The options of the store.
  public var options: StoreOptions

  /// Creates a configuration.
  public init(_ name: String, path: String?, options: StoreOptions = StoreOptions()) {
    (self.name, self.path, self.options) = (name, path, options)
  }
}

/// Where stores are when only their name is given.
package enum StoreLocation {
  /// The name of the running program.
  package static var programName: String {
    let path = CommandLine.arguments.first ?? ""
    let name = URL(filePath: path).deletingPathExtension().lastPathComponent
    return name.isEmpty || name == "/" ? "application" : name
  }

  /// The folder of an application in `$XDG_DATA_HOME` or `~/.local/share`.
  package static func folder(ofApplication name: String) -> String {
    UserDirectory.data.url.appending(path: name).path
  }

  /// Creates the folder of a file if it does not exist.
  static func makeFolder(of path: String) throws {
    _ = try OpenFolder(making: URL(filePath: path).deletingLastPathComponent().path, mode: 0o777)
  }
}

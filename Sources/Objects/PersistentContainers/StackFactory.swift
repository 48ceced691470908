public import ManagedObjects
public import ObjectModel
public import RESTStore

/// Makes the stack of a program in one line, with defaults for everything.
///
///     let context = try StackFactory().managedObjectContext
///
/// It finds the program's models, merges them, and opens or creates the store that is named after
/// the program. Everything is made on first access. After a failure the next access tries again. A
/// file is never deleted. Setting a property once the stack is built is an error. It is a
/// ``PersistentContainer`` with the names of `TICoreDataFactory`.
@MainActor
public final class StackFactory {
  /// Is notified of every error.
  public weak var delegate: (any StackFactoryDelegate)?

  /// The last error; nil after a success.
  public private(set) var mostRecentError: (any Error)?

  /// The type of the store; SQLite by default.
  public private(set) var persistentStoreType = StoreType.sqlite

  /// The options for opening the store.
  public private(set) var persistentStoreOptions = StoreOptions()

  /// The name of the model; nil for the model that the classes declare, or else all models of the
  /// program, merged.
  public private(set) var momdName: String?

  private let applicationName: String
  private let models: ModelLibrary
  private let entityClasses: [any EntityClass.Type]
  private var givenModel: ManagedObjectModel?
  private var givenFileName: String?
  private var givenPath: String?
  private var openService: ((ManagedObjectModel) throws -> RESTStore)?
  private var container: PersistentContainer?
  private var hasPrimaryContext = false

  /// Creates a factory with default settings.
  ///
  /// - Parameters:
  ///   - applicationName: The name of the file and of its folder; nil for the name of the program.
  ///   - models: Where models are found.
  ///   - entityClasses: The classes of entities, for all contexts.
  public init(
    applicationName: String? = nil, models: ModelLibrary = .program,
    entityClasses: [any EntityClass.Type] = []
  ) {
    self.applicationName = applicationName ?? StoreLocation.programName
    self.models = models
    self.entityClasses = entityClasses
  }

  /// The name of the store's file, by default the application's name with the extension of the
  /// store's type; nil in memory.
  public var persistentStoreDataFileName: String? {
    persistentStoreType.fileExtension.map { givenFileName ?? "\(applicationName).\($0)" }
  }

  /// The path of the store's file: in `$XDG_DATA_HOME` or `~/.local/share`, in the application's
  /// folder; nil in memory.
  public var persistentStoreDataPath: String? {
    persistentStoreDataFileName.map {
      givenPath ?? "\(StoreLocation.folder(ofApplication: applicationName))/\($0)"
    }
  }

  /// Sets the name of the store's file, with its extension.
  ///
  /// - Throws: `ManagedObjectError` if the stack is already built.
  public func setPersistentStoreDataFileName(_ name: String) throws {
    try change("the file's name") { givenFileName = name }
  }

  /// Sets the path of the store's file.
  ///
  /// - Throws: `ManagedObjectError` if the stack is already built.
  public func setPersistentStoreDataPath(_ path: String) throws {
    try change("the file's path") { givenPath = path }
  }

  /// Sets the type of the store.
  ///
  /// - Throws: `ManagedObjectError` if the stack is already built.
  public func setPersistentStoreType(_ type: StoreType) throws {
    try change("the store's type") { persistentStoreType = type }
  }

  /// Sets the options for opening the store.
  ///
  /// - Throws: `ManagedObjectError` if the stack is already built.
  public func setPersistentStoreOptions(_ options: StoreOptions) throws {
    try change("the store's options") { persistentStoreOptions = options }
  }

  /// Sets a service as the store: its objects are read from a local cache, and saved to the service.
  ///
  /// The cache is a file in the user's cache folder; in memory with the type
  /// ``StoreType/inMemory``.
  ///
  /// - Parameters:
  ///   - transport: What sends the requests.
  ///   - options: How the service is talked to.
  ///   - client: Makes the client of the service, of a class of the program's own, for the model.
  /// - Throws: `ManagedObjectError` if the stack is already built.
  public func setService(
    over transport: any HTTPTransport = CurlTransport(), options: RESTOptions = RESTOptions(),
    client: @escaping @Sendable (ManagedObjectModel) throws -> sending RESTClient
  ) throws {
    try change("the service") {
      openService = { [unowned self] model in
        try PersistentContainer.openService(
          try client(model), over: transport, options: options,
          inMemory: persistentStoreType == .inMemory)
      }
    }
  }

  /// Sets the name of the model.
  ///
  /// - Throws: `ManagedObjectError` if the stack is already built.
  public func setMomdName(_ name: String) throws { try change("the model") { momdName = name } }

  /// Sets the model.
  ///
  /// - Throws: `ManagedObjectError` if the stack is already built.
  public func setManagedObjectModel(_ model: ManagedObjectModel) throws {
    try change("the model") { givenModel = model }
  }

  /// The model: the one that was set, the one named ``momdName``, the one that the classes declare,
  /// or all merged; if the program has no model, the store's own.
  ///
  /// Throws `ManagedObjectError` if a named model is not found.
  public var managedObjectModel: ManagedObjectModel {
    get throws {
      try reportingErrors { try wantedModel() ?? builtContainer().managedObjectModel }
    }
  }

  /// The container, created on first access.
  ///
  /// Throws if the store cannot be opened; the next access tries again.
  public var persistentContainer: PersistentContainer {
    get throws { try reportingErrors { try builtContainer() } }
  }

  /// The coordinator, created on first access.
  ///
  /// Throws if the store cannot be opened; the next access tries again.
  public var persistentStoreCoordinator: PersistentStoreCoordinator {
    get throws { try reportingErrors { try builtContainer().persistentStoreCoordinator } }
  }

  /// The primary context, created on first access: ``PersistentContainer/viewContext``.
  public var managedObjectContext: ManagedObjectContext {
    get throws {
      try reportingErrors {
        let context = try builtContainer().viewContext
        if !hasPrimaryContext {
          context.onError = { [weak self] in self?.note($0) }
          hasPrimaryContext = true
        }
        return context
      }
    }
  }

  /// Makes a new context on the same coordinator, which can be sent to another isolation domain.
  ///
  /// Its saves are merged into the primary context, and its errors are reported as the primary
  /// one's are.
  ///
  /// - Returns: The context, a new one each time.
  /// - Throws: As ``persistentStoreCoordinator``.
  public func secondaryManagedObjectContext() throws -> sending ManagedObjectContext {
    let container = try persistentContainer
    let context = container.newBackgroundContext()
    let report: @Sendable (any Error) -> Void = { [weak self] error in
      Task { @MainActor in self?.note(error) }
    }
    context.onError = report
    return context
  }

  private func builtContainer() throws -> PersistentContainer {
    if let container { return container }
    let container = PersistentContainer(
      store: try openStore(), name: applicationName, entityClasses: entityClasses)
    self.container = container
    return container
  }

  private func openStore() throws -> any PersistentStore {
    let model = try wantedModel()
    if let openService {
      guard let model else { throw modelNotFound("opening a service") }
      return try openService(model)
    }
    if let path = persistentStoreDataPath {
      var options = persistentStoreOptions
      options.type = persistentStoreType
      return try PersistentContainer.openStore(path: path, model: model, options: options)
    }
    guard let model else { throw modelNotFound("making a store in memory") }
    return InMemoryStore(
      model: model, readOnlyReason: persistentStoreOptions.isReadOnly ? "opened read-only" : nil)
  }

  private func modelNotFound(_ doing: String) -> ManagedObjectError {
    ManagedObjectError(
      .modelNotFound, doing: doing, detail: "it has no model of its own",
      remedy: "give the factory a model")
  }

  private func wantedModel() throws -> ManagedObjectModel? {
    if let givenModel { return givenModel }
    if let momdName { return try models.model(named: momdName) }
    return try ManagedObjectModel.declared(by: entityClasses) ?? models.mergedModel()
  }

  private func change(_ what: String, _ body: () -> Void) throws {
    try reportingErrors {
      guard container == nil else {
        throw ManagedObjectError(
          .alreadyBuilt, doing: "setting \(what)",
          remedy: "set it before the context is asked for, or make another factory")
      }
      body()
    }
  }

  private func reportingErrors<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      let result = try body()
      mostRecentError = nil
      return result
    } catch {
      note(error)
      throw error
    }
  }

  private func note(_ error: any Error) {
    mostRecentError = error
    delegate?.stackFactory(self, encounteredError: error)
  }
}

/// Is notified of the errors of a ``StackFactory``.
@MainActor
public protocol StackFactoryDelegate: AnyObject {
  /// An error occurred.
  ///
  /// - Parameters:
  ///   - factory: The factory.
  ///   - error: The error, also kept in ``StackFactory/mostRecentError``.
  func stackFactory(_ factory: StackFactory, encounteredError error: any Error)
}

/// The type of store that is made.
public enum StoreType: String, Hashable, Sendable, CaseIterable {
  /// An SQLite database: a Core Data store or plain tables, whichever the file is.
  case sqlite
  /// Core Data's XML store, read whole and written whole.
  case xml
  /// One JSON file, read whole and written whole, where Core Data has a binary store, whose format is
  /// not public.
  case binary
  /// In memory; it ends with its last context.
  case inMemory

  /// The file extension; nil for a store in memory.
  package var fileExtension: String? {
    switch self {
    case .sqlite: "sqlite"
    case .xml: "xml"
    case .binary: "json"
    case .inMemory: nil
    }
  }
}

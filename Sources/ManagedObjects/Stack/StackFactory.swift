public import ObjectModel

/// Creates a managed object context with its coordinator, model and store.
///
///     let factory = StackFactory(openSQLite: { path, model, options in
///       try SQLiteStore.open(
///         path: path,
///         options: .init(isReadOnly: options.isReadOnly, createIfMissing: model))
///     })
///     try factory.setManagedObjectModel(model)
///     let context = try factory.managedObjectContext
///
/// Everything is created on first access. After a failure the next access tries again. A file is
/// never deleted. The function that opens an SQLite store is passed in, because this module does
/// not depend on SQLite.
public final class StackFactory {
  /// Opens the store at a path, which must have the model, or creates it with the model if there is
  /// no file.
  public typealias StoreOpener = (String, ManagedObjectModel?, StoreOptions) throws ->
    any PersistentStore

  /// Finds a model by name; without a name it merges all models it finds.
  public typealias ModelFinder = (String?) throws -> ManagedObjectModel?

  /// Is notified of every error.
  public weak var delegate: (any StackFactoryDelegate)?

  /// The last error; nil after a success.
  public private(set) var mostRecentError: (any Error)?

  /// The subclasses for entities; they are registered in every context that is created from now on.
  public var entityClasses: [any EntityClass.Type] = []

  private var settings: StackSettings
  private let openSQLite: StoreOpener
  private let findModel: ModelFinder
  private var builtCoordinator: PersistentStoreCoordinator?
  private var builtContext: ManagedObjectContext?

  /// Creates a factory with default settings.
  ///
  /// - Parameters:
  ///   - applicationName: The name of the file and of its folder; nil for the name of the program.
  ///   - openSQLite: Opens an SQLite store.
  ///   - findModel: Finds models by name; by default none is found, and the store's own model is
  ///     used.
  public init(
    applicationName: String? = nil, openSQLite: @escaping StoreOpener,
    findModel: @escaping ModelFinder = { _ in nil }
  ) {
    settings = StackSettings(applicationName: applicationName ?? StackSettings.programName)
    self.openSQLite = openSQLite
    self.findModel = findModel
  }

  /// The name of the store's file, by default the application's name with the extension of the
  /// store's type; nil in memory.
  public var persistentStoreDataFileName: String? { settings.fileName }

  /// The path of the store's file: in `$XDG_DATA_HOME` or `~/.local/share`, in the application's
  /// folder; nil in memory.
  public var persistentStoreDataPath: String? { settings.path }

  /// The type of the store; SQLite by default.
  public var persistentStoreType: StoreType { settings.type }

  /// The options for opening the store.
  public var persistentStoreOptions: StoreOptions { settings.options }

  /// The name of the model; nil merges all models.
  public var momdName: String? { settings.momdName }

  /// Sets the name of the store's file, with its extension.
  ///
  /// - Throws: ``ManagedObjectError`` if the stack is already built.
  public func setPersistentStoreDataFileName(_ name: String) throws {
    try change("the file's name") { $0.givenFileName = name }
  }

  /// Sets the path of the store's file.
  ///
  /// - Throws: ``ManagedObjectError`` if the stack is already built.
  public func setPersistentStoreDataPath(_ path: String) throws {
    try change("the file's path") { $0.givenPath = path }
  }

  /// Sets the type of the store.
  ///
  /// - Throws: ``ManagedObjectError`` if the stack is already built.
  public func setPersistentStoreType(_ type: StoreType) throws {
    try change("the store's type") { $0.type = type }
  }

  /// Sets the options for opening the store.
  ///
  /// - Throws: ``ManagedObjectError`` if the stack is already built.
  public func setPersistentStoreOptions(_ options: StoreOptions) throws {
    try change("the store's options") { $0.options = options }
  }

  /// Sets the name of the model.
  ///
  /// - Throws: ``ManagedObjectError`` if the stack is already built.
  public func setMomdName(_ name: String) throws { try change("the model") { $0.momdName = name } }

  /// Sets the model.
  ///
  /// - Throws: ``ManagedObjectError`` if the stack is already built.
  public func setManagedObjectModel(_ model: ManagedObjectModel) throws {
    try change("the model") { $0.model = model }
  }

  /// The model: the one that was set, the one named ``momdName``, or all merged; if there is none,
  /// the store's own.
  ///
  /// Throws ``ManagedObjectError`` if a named model is not found.
  public var managedObjectModel: ManagedObjectModel {
    get throws {
      try reportingErrors {
        if let model = try wantedModel() { return model }
        return try coordinator().model
      }
    }
  }

  /// The coordinator, created on first access.
  ///
  /// Throws if the store cannot be opened; the next access tries again.
  public var persistentStoreCoordinator: PersistentStoreCoordinator {
    get throws { try reportingErrors { try coordinator() } }
  }

  /// The primary context, created on first access.
  public var managedObjectContext: ManagedObjectContext {
    get throws {
      try reportingErrors {
        if let builtContext { return builtContext }
        let context = try makeContext()
        context.onError = { [weak self] in self?.note($0) }
        builtContext = context
        return context
      }
    }
  }

  /// A new context on the same coordinator at each access; its saves are merged into the primary
  /// context.
  ///
  /// They are merged when the primary context processes its changes.
  public var secondaryManagedObjectContext: ManagedObjectContext {
    get throws { try reportingErrors { try makeContext() } }
  }

  private func makeContext() throws -> ManagedObjectContext {
    let context = ManagedObjectContext(coordinator: try coordinator())
    context.register(entityClasses)
    return context
  }

  private func coordinator() throws -> PersistentStoreCoordinator {
    if let builtCoordinator { return builtCoordinator }
    let coordinator = PersistentStoreCoordinator(store: try openStore())
    builtCoordinator = coordinator
    return coordinator
  }

  private func openStore() throws -> any PersistentStore {
    let model = try wantedModel()
    switch settings.type {
    case .sqlite:
      return try openSQLite(try settings.makePath(), model, settings.options)
    case .inMemory:
      guard let model else {
        throw ManagedObjectError(
          .modelNotFound, doing: "making a store in memory", detail: "it has no model of its own",
          remedy: "give the factory a model")
      }
      return InMemoryStore(
        model: model, readOnlyReason: settings.options.isReadOnly ? "opened for reading" : nil)
    case .xml, .binary:
      throw ManagedObjectError(
        .unsupported, doing: "opening a store", subject: settings.path ?? "",
        detail: "\(settings.type.rawValue) stores are not supported yet",
        remedy: "use an SQLite store")
    }
  }

  private func wantedModel() throws -> ManagedObjectModel? {
    if let model = settings.model { return model }
    let model = try findModel(settings.momdName)
    if let name = settings.momdName, model == nil {
      throw ManagedObjectError(.modelNotFound, doing: "finding the model", subject: name)
    }
    return model
  }

  private func change(_ what: String, _ body: (inout StackSettings) -> Void) throws {
    try reportingErrors {
      guard builtCoordinator == nil else {
        throw ManagedObjectError(
          .alreadyBuilt, doing: "setting \(what)",
          remedy: "set it before the context is asked for, or make another factory")
      }
      body(&settings)
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

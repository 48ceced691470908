public import ObjectModel

/// Makes a context in one line, with the coordinator, the model and the store behind it.
///
///     let factory = StackFactory(openSQLite: SQLiteStore.open)
///     factory.model = model
///     let context = try factory.managedObjectContext
///
/// Everything is built when it is first asked for. A failure is not kept: the next access tries again. A file is never
/// deleted. How an SQLite store is opened is given, because objects know nothing of SQL.
public final class StackFactory {
  /// Opens the store at a path, making it with the model when there is none.
  public typealias StoreOpener = (String, ManagedObjectModel?, StoreOptions) throws ->
    any PersistentStore

  /// Finds the model of a name; nil as the name asks for all models there are, merged.
  public typealias ModelFinder = (String?) throws -> ManagedObjectModel?

  /// Told of every error.
  public weak var delegate: (any StackFactoryDelegate)?

  /// The last error; nil after a success.
  public private(set) var mostRecentError: (any Error)?

  /// The classes of objects, by the entities that they name; every context that is made from now on knows them.
  public var entityClasses: [any EntityClass.Type] = []

  private var settings: StackSettings
  private let openSQLite: StoreOpener
  private let findModel: ModelFinder
  private var builtCoordinator: PersistentStoreCoordinator?
  private var builtContext: ManagedObjectContext?

  /// Makes a factory with the usual settings.
  ///
  /// - Parameters:
  ///   - applicationName: Names the file and its folder; nil for the program's name.
  ///   - openSQLite: Opens an SQLite store.
  ///   - findModel: Finds models by name; by default there are none, and the store's own model counts.
  public init(
    applicationName: String? = nil, openSQLite: @escaping StoreOpener,
    findModel: @escaping ModelFinder = { _ in nil }
  ) {
    settings = StackSettings(applicationName: applicationName ?? StackSettings.programName)
    self.openSQLite = openSQLite
    self.findModel = findModel
  }

  /// The name of the store's file: the application's name and the extension of the store's type; nil in memory.
  public var persistentStoreDataFileName: String? { settings.fileName }

  /// The path of the store's file: in `$XDG_DATA_HOME` or `~/.local/share`, in the application's folder; nil in memory.
  public var persistentStoreDataPath: String? { settings.path }

  /// The type of the store; SQLite by default.
  public var persistentStoreType: StoreType { settings.type }

  /// How the store is opened.
  public var persistentStoreOptions: StoreOptions { settings.options }

  /// The name of the model to find; nil for all, merged.
  public var momdName: String? { settings.momdName }

  /// Sets the name of the store's file.
  ///
  /// - Parameter name: The name, with its extension.
  /// - Throws: ``ManagedObjectError`` when the stack was built.
  public func setPersistentStoreDataFileName(_ name: String) throws {
    try change("the file's name") { $0.givenFileName = name }
  }

  /// Sets the path of the store's file.
  ///
  /// - Parameter path: The path.
  /// - Throws: ``ManagedObjectError`` when the stack was built.
  public func setPersistentStoreDataPath(_ path: String) throws {
    try change("the file's path") { $0.givenPath = path }
  }

  /// Sets the type of the store.
  ///
  /// - Parameter type: The type.
  /// - Throws: ``ManagedObjectError`` when the stack was built.
  public func setPersistentStoreType(_ type: StoreType) throws {
    try change("the store's type") { $0.type = type }
  }

  /// Sets how the store is opened.
  ///
  /// - Parameter options: The options.
  /// - Throws: ``ManagedObjectError`` when the stack was built.
  public func setPersistentStoreOptions(_ options: StoreOptions) throws {
    try change("the store's options") { $0.options = options }
  }

  /// Sets the name of the model to find.
  ///
  /// - Parameter name: The name.
  /// - Throws: ``ManagedObjectError`` when the stack was built.
  public func setMomdName(_ name: String) throws { try change("the model") { $0.momdName = name } }

  /// Gives the model.
  ///
  /// - Parameter model: The model.
  /// - Throws: ``ManagedObjectError`` when the stack was built.
  public func setManagedObjectModel(_ model: ManagedObjectModel) throws {
    try change("the model") { $0.model = model }
  }

  /// The model: the one given, the one of ``momdName``, or all merged; that of the store when there are none.
  ///
  /// Throws ``ManagedObjectError`` when a named model is not found.
  public var managedObjectModel: ManagedObjectModel {
    get throws {
      try telling {
        if let model = try wantedModel() { return model }
        return try coordinator().model
      }
    }
  }

  /// The coordinator, built with the first access.
  ///
  /// Throws what kept the store from being opened; the next access tries again.
  public var persistentStoreCoordinator: PersistentStoreCoordinator {
    get throws { try telling { try coordinator() } }
  }

  /// The primary context, built with the first access.
  public var managedObjectContext: ManagedObjectContext {
    get throws {
      try telling {
        if let builtContext { return builtContext }
        let context = try makeContext()
        context.onError = { [weak self] in self?.note($0) }
        builtContext = context
        return context
      }
    }
  }

  /// A new context with each access, on the same coordinator; its saves are merged into the primary one.
  ///
  /// The primary context takes them in when it processes its changes, or when it is woken.
  public var secondaryManagedObjectContext: ManagedObjectContext {
    get throws { try telling { try makeContext() } }
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
    try telling {
      guard builtCoordinator == nil else {
        throw ManagedObjectError(
          .alreadyBuilt, doing: "setting \(what)",
          remedy: "set it before the context is asked for, or make another factory")
      }
      body(&settings)
    }
  }

  private func telling<Result>(_ body: () throws -> Result) throws -> Result {
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

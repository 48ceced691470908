import CardfileApp
import ObjectModel
import SQLiteStore
import AtomicStores
import PostgreSQLStore
import Transfers

/// The open store of a command, with a resolver for the names in its arguments.
struct OpenedStore {
  let store: any PersistentStore
  let names: NameResolver
  /// Whether a Core Data store is backed up before the first save.
  let makesBackup: Bool
  /// The path of the model that was named; nil if none was.
  let modelPath: String?

  /// Opens a store for reading, and prints its notes to standard error.
  init(_ argument: StoreArgument, kinds: [String: ColumnKind] = [:]) throws(StoreError) {
    var options = SQLiteStore.Options()
    options.isReadOnly = true
    options.modelPath = argument.model
    options.columnKinds = kinds
    options.readsCopy = argument.copyOption.copy
    try self.init(path: argument.store, options, argument.serviceOptions)
    writeNotes(store.summary.notes)
  }

  /// Opens a store for reading, with columns as `--type` says.
  init(_ argument: StoreArgument, _ types: TypeOption) throws {
    try self.init(argument, kinds: types.kinds)
    try types.check(in: self)
  }

  /// Opens a store.
  ///
  /// - Parameters:
  ///   - path: The path of a file or folder, or the address of a service.
  ///   - options: How a file is opened.
  ///   - serviceOptions: How a service is asked.
  ///   - updatesBehind: Whether a service is brought up to date while it is shown.
  /// - Throws: `StoreError` if it cannot be opened.
  init(
    path: String, _ options: SQLiteStore.Options, _ serviceOptions: ServiceOptions,
    updatesBehind: Bool = false
  ) throws(StoreError) {
    if ServiceStore.isAddress(path) {
      store = try ServiceStore.open(
        path, serviceOptions, modelPath: options.modelPath, updatesBehind: updatesBehind)
    } else if PostgreSQLStore.isAddress(path) {
      store = try PostgreSQLStore(
        address: path, isReadOnly: options.isReadOnly, keys: serviceOptions.tableKeys)
    } else {
      do throws(StoreError) {
        store = try SQLiteStore.open(path: path, options: options)
      } catch {
        // Only what is no database is opened otherwise: closing a file ends SQLite's locks on it.
        guard error.reason == .notADatabase || error.reason == .notAFile,
          let other = try Self.atomicStore(path, options)
        else { throw BinaryStoreFile.refusal(path) ?? error }
        store = other
      }
    }
    (makesBackup, modelPath) = (options.makesBackup, options.modelPath)
    names = NameResolver(
      model: store.model, storeName: PostgreSQLStore.withoutPassword(path),
      otherTables: store.summary.otherTables)
  }

  /// Whether a file or a folder that is no database is a store.
  static func isAtomicStore(_ path: String) -> Bool {
    JSONStore.recognizes(path) || MarkdownStore.recognizes(path) || XMLStore.recognizes(path)
      || DelimitedStore.recognizes(path)
  }

  /// The store of a file that is no database; nil if its kind is not known.
  private static func atomicStore(_ path: String, _ options: SQLiteStore.Options)
    throws(StoreError) -> (any PersistentStore)?
  {
    if JSONStore.recognizes(path) {
      return try JSONStore(path: path, isReadOnly: options.isReadOnly)
    }
    if MarkdownStore.recognizes(path) {
      return try MarkdownStore(path: path, isReadOnly: options.isReadOnly)
    }
    guard XMLStore.recognizes(path) else {
      guard DelimitedStore.recognizes(path) else { return nil }
      return try DelimitedStore(path: path, isReadOnly: options.isReadOnly)
    }
    var xml = XMLStore.Options()
    (xml.isReadOnly, xml.modelPath) = (options.isReadOnly, options.modelPath)
    (xml.forcesTypes, xml.makesBackup) = (options.forcesWriting, options.makesBackup)
    return try XMLStore(path: path, options: xml)
  }

  /// The store as the SQLite database that it is; nil if it is another kind of store.
  var sqlite: SQLiteStore? { store as? SQLiteStore }

  /// The path of the copy made before the first save; nil if none was made.
  var backupPath: String? { sqlite?.backupPath ?? (store as? XMLStore)?.backupPath }

  /// Whether values may be archives of Core Data.
  var isCoreData: Bool { sqlite?.isCoreData ?? !(store is PostgreSQLStore) }

  /// The store for what only a SQLite database has.
  ///
  /// - Throws: ``Failure`` if it is another kind of store.
  func database(for what: String) throws(Failure) -> SQLiteStore {
    guard let sqlite else {
      throw Failure(.refused, "\(store.summary.name) is no SQLite database, and has no \(what)")
    }
    return sqlite
  }

  /// Removes the files of external values that no object uses since this run's saves; a note on
  /// standard error says which stay.
  ///
  /// - Returns: The number of files that were removed.
  @discardableResult
  func removeUnusedFiles() -> Int {
    guard let sqlite else { return 0 }
    do {
      return try sqlite.removeUnusedFiles()
    } catch {
      let files = SavePlan.files(sqlite.unusedFileCount)
      writeNotes(["\(files) that no object uses could not be removed: \(error)"])
      return 0
    }
  }

  /// The plan for the objects of `--where`.
  func plan(for entity: EntityDescription, condition: String?) throws(Failure) -> FetchPlan {
    FetchPlan(
      entityName: entity.name,
      predicate: try filter(condition, for: entity)?.predicate)
  }

  /// The condition of `--where`; nil if it was not given.
  func filter(_ condition: String?, for entity: EntityDescription) throws(Failure)
    -> TypedPredicate?
  {
    guard let condition else { return nil }
    return try TypedPredicate(where: condition, for: entity, in: store.model)
  }

  /// The order of `--sort`, for a long list as the store has it; empty if it was not given.
  func sortDescriptors(_ sort: String?, for entity: EntityDescription) throws(Failure)
    -> [FetchSortDescriptor]
  {
    guard let sort else { return [] }
    return ListSurveys(of: entity, in: store).storeOrder(
      for: try SortText.descriptors(sort, for: entity, in: names))
  }
}

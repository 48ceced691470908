import CardfileApp
import ObjectModel
import SQLiteStore

/// The open store of a command, with a resolver for the names in its arguments.
struct OpenedStore {
  let store: SQLiteStore
  let names: NameResolver
  /// Whether a Core Data store is backed up before the first save.
  let makesBackup: Bool

  /// Opens a store for reading, and prints its notes to standard error.
  init(_ argument: StoreArgument, kinds: [String: ColumnKind] = [:]) throws(StoreError) {
    var options = SQLiteStore.Options()
    options.isReadOnly = true
    options.modelPath = argument.model
    options.columnKinds = kinds
    options.readsCopy = argument.copyOption.copy
    try self.init(path: argument.store, options)
    writeNotes(store.summary.notes)
  }

  /// Opens a store for reading, with columns as `--type` says.
  init(_ argument: StoreArgument, _ types: TypeOption) throws {
    try self.init(argument, kinds: types.kinds)
    try types.check(in: self)
  }

  /// Opens a store.
  init(path: String, _ options: SQLiteStore.Options) throws(StoreError) {
    store = try SQLiteStore.open(path: path, options: options)
    makesBackup = options.makesBackup
    names = NameResolver(
      model: store.model, storeName: path, otherTables: store.summary.otherTables)
  }

  /// Removes the files of external values that no object uses since this run's saves; a note on
  /// standard error says which stay.
  ///
  /// - Returns: The number of files that were removed.
  @discardableResult
  func removeUnusedFiles() -> Int {
    do {
      return try store.removeUnusedFiles()
    } catch {
      let files = SavePlan.files(store.unusedFileCount)
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

  /// The order of `--sort`; empty if it was not given.
  func sortDescriptors(_ sort: String?, for entity: EntityDescription) throws(Failure)
    -> [FetchSortDescriptor]
  {
    guard let sort else { return [] }
    return try SortText.descriptors(sort, for: entity, in: names)
  }
}

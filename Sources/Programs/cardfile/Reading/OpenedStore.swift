import AtomicStores
import CardfileApp
import ModelFiles
import ObjectModel
import SQLiteStore
import Transfers

/// The open store of a command, with a resolver for the names in its arguments.
struct OpenedStore {
  let store: any PersistentStore
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
    do throws(StoreError) {
      store = try SQLiteStore.open(path: path, options: options)
    } catch {
      // Only what is no database is opened otherwise: closing a file ends SQLite's locks on it.
      guard error.reason == .notADatabase || error.reason == .notAFile,
        let other = try Self.atomicStore(path, options)
      else { throw BinaryStoreFile.refusal(path) ?? error }
      store = other
    }
    makesBackup = options.makesBackup
    names = NameResolver(
      model: store.model, storeName: path, otherTables: store.summary.otherTables)
  }

  /// Whether a file or a folder that is no database is a store.
  static func isAtomicStore(_ path: String) -> Bool {
    JSONStore.recognizes(path) || MarkdownStore.recognizes(path) || XMLStore.recognizes(path)
      || DelimitedStore.recognizes(path)
  }

  /// The store of a file that is no database; nil if it is none that is known.
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
  var isCoreData: Bool { sqlite?.isCoreData ?? true }

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

  /// The order of `--sort`; empty if it was not given.
  func sortDescriptors(_ sort: String?, for entity: EntityDescription) throws(Failure)
    -> [FetchSortDescriptor]
  {
    guard let sort else { return [] }
    return try SortText.descriptors(sort, for: entity, in: names)
  }
}

extension StoreServices {
  /// The features of a store; most are those of a SQLite database.
  init(_ opened: OpenedStore) {
    self.init()
    description = { data in ArchiveDescription.lines(of: data) }
    archiveTree = { data in ArchiveTree.tree(of: data) }
    unpack = { data, limit in try Inflate.unpacked(data, limit: limit) }
    decodesValues = opened.isCoreData
    makesBackup = opened.isCoreData && opened.makesBackup
    backupPath = { opened.backupPath }
    importing = (opened.store as? any BulkStore).map { Importing(into: $0) }
    guard let store = opened.sqlite else { return }
    row = { id in try store.row(behind: id) }
    warningsBeforeSaving = { store.warningsBeforeWriting() }
    isOutdated = { store.isOutdated }
    isWaitingForLock = { store.isWaitingForLock }
    observeLockWaits = { store.observeLockWaits($0) }
    unusedFileCount = { store.unusedFileCount }
  }
}

extension StoreServices.Importing {
  private static let previewCount = 5

  /// Imports files into a store.
  fileprivate init(into store: any BulkStore) {
    self.init { path, entity in
      let importer = try Importer(path, as: entity, into: store)
      let rows = importer.preview(Self.previewCount).map { row in
        zip(importer.previewColumns, row.values).map { "\($0) \($1)" }.joined(separator: ", ")
          + (row.problem.map { " (\($0))" } ?? "")
      }
      return [importer.formatPhrase] + importer.mapping.columns.map(\.phrase)
        + (rows.isEmpty ? [] : [""] + rows)
    } run: { path, entity, rejectsPath, control in
      let importer = try Importer(path, as: entity, into: store)
      var rejects = try rejectsPath.map { path throws(TransferError) in
        try RejectsFile(path: path, columns: importer.mapping.columns.map(\.name))
      }
      var first: Rejection?
      let result: ImportResult
      do {
        result = try importer.run(acceptsRejects: rejects != nil) { rejection in
          if first == nil { first = rejection }
          try rejects?.write(rejection)
        } progress: {
          control.report(completed: $0.records, total: $0.estimatedTotal)
        }
      } catch {
        rejects?.discard()
        guard let first, var error = error as? TransferError else { throw error }
        error.detail += ": \(first.phrase)"
        error.remedy = ""
        throw error
      }
      guard result.rejected > 0, let rejectsPath else {
        rejects?.discard()
        return result.phrase
      }
      try rejects?.commit()
      return "\(result.phrase) (in \(rejectsPath))"
    }
  }
}

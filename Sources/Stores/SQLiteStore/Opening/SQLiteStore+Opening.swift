package import ObjectModel
import SQLQueries

extension SQLiteStore {
  /// The time limit for reading the schema and the model, which normally takes less than a second
  /// for a database of any size.
  private static let openingLimit = Duration.seconds(30)

  /// Opens a Core Data store or any other SQLite database.
  ///
  /// The model is the one stored in the database, if any; otherwise it is derived from the tables,
  /// views and foreign keys. Opening and reading change no file: a write-ahead log is read in
  /// place, and a change that a crash left incomplete is rolled back in a private copy, which is
  /// read until the first save. A file that is not writable is opened nevertheless, and can be saved
  /// once it is writable; `summary.readOnlyReason` has the reason why it cannot.
  ///
  /// - Parameters:
  ///   - path: The path of the database.
  ///   - options: The options of the store.
  /// - Returns: The store.
  /// - Throws: `StoreError` if the file does not exist, is not a SQLite database, is damaged, or
  ///   cannot be read because of its permissions or another program's lock; also if it has another
  ///   model than `expectedModel`: see ``open(path:options:migratingTo:)``.
  package static func open(path: String, options: Options = Options()) throws(StoreError)
    -> SQLiteStore
  {
    PrivateFolder.sweep()
    let file = try DatabaseFile(examining: path)
    (try? OpenFolder(path: file.path.parentPath))?.removeAbandonedDrafts()
    let opening = try DatabaseOpening(file, subject: path, options: options)
    let pool = ConnectionPool(
      settings: opening.settings, readers: opening.readers,
      usesWAL: file.usesWAL && opening.copied == nil)
    let contents = try pool.read(doing: "opening") { connection throws(StoreError) in
      // Damage may make endless loops.
      let limit = StatementWatch(nil, on: connection, until: .now + openingLimit)
      defer { limit?.end() }
      do {
        let contents = try StoreContents(
          reading: connection.database, path: file.path, modelPath: options.modelPath,
          modelCandidate: options.modelCandidate, kinds: options.columnKinds)
        try pool.addFallbackCollations(contents.layout.fallbackCollations, on: connection)
        return contents
      } catch {
        var error = StoreError(error, doing: "opening", subject: path)
        guard error.reason == .cancelled else { throw error }
        error.reason = .corrupt
        error.detail =
          "reading its schema took more than \(openingLimit.components.seconds) seconds"
        error.remedy = "check it with: sqlite3 FILE 'PRAGMA integrity_check'"
        throw error
      }
    }
    if let model = options.expectedModel { try check(contents, against: model, path: path) }
    return SQLiteStore(
      contents, pool: pool, file: file, subject: path, options: options,
      copied: options.readsCopy ? opening.copied : nil)
  }

  /// Refuses a store with another model than the one that its user expects.
  private static func check(
    _ contents: StoreContents, against model: ManagedObjectModel, path: String
  ) throws(StoreError) {
    if let error = difference(contents, from: model, path: path) { throw error }
  }

  /// The error for a store with another model than the one that its user expects; nil if it has that
  /// model.
  static func difference(
    _ contents: StoreContents, from model: ManagedObjectModel, path: String
  ) -> StoreError? {
    let differences = contents.layout.model.differences(from: model)
    guard !differences.isEmpty else { return nil }
    let more = differences.count - 5
    return StoreError(
      .unsupported, doing: "opening", subject: path,
      detail: "the model in the store differs from the given one: "
        + differences.prefix(5).joined(separator: ", ") + (more > 0 ? " and \(more) more" : ""),
      remedy: "open it with the model that it was created with, or without one, or migrate it")
  }
}

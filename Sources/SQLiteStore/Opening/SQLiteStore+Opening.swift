public import ObjectModel

extension SQLiteStore {
  /// How long it may take to read what a database holds; a sound one takes a fraction of a second, however large.
  private static let openingLimit = Duration.seconds(30)

  /// Opens any SQLite database.
  ///
  /// A store that was created from a model has that model; of another the tables and views make one. Neither the file
  /// nor its directory is changed: a write-ahead log is read where it lies, and where a crash cut off a change, it is
  /// undone in a private copy that is read until the first save. A file that cannot be written is opened for reading;
  /// `summary.readOnlyReason` says so.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - options: How to open it.
  /// - Returns: The store.
  /// - Throws: `StoreError`, when there is no such file, it is no database, it is damaged, or the system or another
  ///   program does not let us read it.
  public static func open(path: String, options: Options = Options()) throws(StoreError)
    -> SQLiteStore
  {
    if let model = options.createIfMissing, FileIdentity(path: path) == nil {
      return try create(path: path, model: model)
    }
    PrivateFolder.sweep()
    let file = try DatabaseFile(examining: path)
    let opening = try DatabaseOpening(file, subject: path, options: options)
    let pool = ConnectionPool(
      settings: opening.settings, readers: opening.readers, usesWAL: file.header.usesWAL)
    let contents = try pool.read(doing: "opening") { database throws(StoreError) in
      let limit = TimeLimit(openingLimit, on: database)
      defer { limit?.lift() }
      do {
        return try StoreContents(
          reading: database, path: file.path, modelPath: options.modelPath)
      } catch {
        var error = StoreError(error, doing: "opening", subject: path)
        guard error.reason == .cancelled else { throw error }
        error.reason = .corrupt
        error.detail = "what it holds is not read within \(openingLimit.components.seconds) seconds"
        error.remedy = "check it with: sqlite3 FILE 'PRAGMA integrity_check'"
        throw error
      }
    }
    return SQLiteStore(
      contents, pool: pool, file: file, subject: path, options: options,
      readOnlyReason: opening.readOnlyReason)
  }
}

import GRDB
public import ObjectModel

extension SQLiteStore {
  /// Opens any SQLite database.
  ///
  /// A store that was created from a model has that model; of another the tables and views make one. Nothing in the
  /// file is changed, except that a change which a crash cut off is undone, as SQLite demands before it lets anybody
  /// read. A file that cannot be written is opened for reading; `summary.readOnlyReason` says so.
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
    let file = try DatabaseFile(examining: path)
    let opening = try DatabaseOpening(file, subject: path, options: options)
    do {
      let contents = try opening.reader.writeWithoutTransaction { database in
        var contents: StoreContents?
        try database.inTransaction(.deferred) {
          contents = try StoreContents(
            reading: database, path: file.path, modelPath: options.modelPath)
          return .commit
        }
        return contents
      }
      guard let contents else { throw StoreError(.other, doing: "opening", subject: path) }
      return SQLiteStore(contents, opening: opening, file: file, subject: path)
    } catch {
      throw StoreError(error, doing: "opening", subject: path)
    }
  }
}

import Synchronization

/// A store that loads all rows, and writes all rows when they are saved: Core Data's atomic store.
///
/// It has an identifier, a model and a cache, and says how its rows are read and written. Fetches,
/// values, relationships, the rules of a save, conflicts and keys of new objects follow from them.
public protocol WritableAtomicStore: AtomicStore where Rows == InMemoryRows {
  /// The rows as they were loaded or written last; a new one for each store.
  var cache: AtomicCache { get }

  /// What is another one after somebody else has written: ``FileStamp`` of the file. By default nil,
  /// for a store that nobody else can write.
  var stamp: FileStamp? { get }

  /// Reads all rows. It is called for the first read, and when the stamp is another one.
  ///
  /// - Throws: ``StoreError`` if they cannot be read; the rows that were read before stay.
  func load() throws(StoreError) -> InMemoryRows

  /// Writes all rows, so that the old ones or the new ones are there whatever happens.
  ///
  /// - Parameter rows: The rows; see ``InMemoryRows``.
  /// - Throws: ``StoreError`` if they are not written; the save fails with it.
  func write(_ rows: InMemoryRows) throws(StoreError)

  /// Runs a closure while no other process writes the store. The default runs it.
  ///
  /// - Parameter body: Reads the stamp, loads and writes.
  /// - Returns: What the closure returns.
  /// - Throws: ``StoreError`` of the closure, or if others write for long.
  func exclusively<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result
}

extension WritableAtomicStore {
  /// The identifier as the name, of a store that can be changed.
  public var summary: StoreSummary { StoreSummary(name: identifier, kind: "Rows in memory") }

  /// Returns nil: there is no other writer.
  public var stamp: FileStamp? { nil }

  /// Runs the closure.
  public func exclusively<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError)
    -> Result
  { try body() }

  /// Returns the rows that were loaded or written last.
  public func storedRows() throws(StoreError) -> InMemoryRows { try cache.rows(of: self) }

  /// Saves: reads what others have written since, checks the request against it, and writes all rows.
  public func save(_ request: SaveRequest) throws(StoreError) -> SaveResult {
    try cache.save(request, to: self)
  }

  /// Runs a save on a copy of the rows, to know whether it would be refused; there are no statements.
  public func rehearse(_ request: SaveRequest) throws(StoreError) -> SaveRehearsal {
    var save = InMemorySave(rows: try storedRows())
    _ = try save.write(request)
    return SaveRehearsal()
  }

  /// Follows the first file of the stamp.
  public func observeForeignChanges(_ handler: @escaping @Sendable () -> Void) -> StoreObservation {
    guard let path = stamp?.paths.first?.canonicalPath else { return StoreObservation {} }
    let seen = Mutex(cache.foreignChangeCount(of: self))
    let watcher = FileWatcher(path: path) { [weak self] in
      guard let self else { return false }
      let count = cache.foreignChangeCount(of: self)
      return seen.withLock { seen in
        defer { seen = count }
        return count != seen
      }
    } handler: {
      handler()
    }
    let kept = Mutex(watcher)
    return StoreObservation { kept.withLock { $0 = nil } }
  }
}

/// The rows of a ``WritableAtomicStore`` as they were loaded or written last, for its threads.
public final class AtomicCache: Sendable {
  fileprivate struct Contents {
    var rows: InMemoryRows?
    var stamp: FileStamp?
    var loadCount = 0
  }

  private let contents = Mutex(Contents())

  /// Creates an empty cache.
  public init() {}

  /// Creates a cache of rows that were read when the store was opened.
  package init(_ rows: InMemoryRows, _ stamp: FileStamp?) {
    contents.withLock { ($0.rows, $0.stamp) = (rows, stamp) }
  }

  fileprivate func rows(of store: some WritableAtomicStore) throws(StoreError) -> InMemoryRows {
    try locked { contents throws(StoreError) in try contents.loaded(from: store) }
  }

  /// How often others have written since the rows were first read; loads what they wrote last, if it
  /// can be read now.
  fileprivate func foreignChangeCount(of store: some WritableAtomicStore) -> Int {
    contents.withLock { contents in
      if contents.rows != nil, store.stamp != contents.stamp { _ = try? contents.load(from: store) }
      return contents.loadCount
    }
  }

  /// Saves into a store, unless it is read-only.
  package func save(_ request: SaveRequest, to store: some WritableAtomicStore)
    throws(StoreError) -> SaveResult
  {
    try checkWritable(store)
    return try locked { contents throws(StoreError) in
      try store.exclusively { () throws(StoreError) in
        var save = InMemorySave(rows: try contents.current(from: store))
        let result = try save.write(request)
        try store.write(save.rows)
        (contents.rows, contents.stamp) = (save.rows, store.stamp)
        return result
      }
    }
  }

  /// Saves several times, and writes all rows once, unless the store is read-only.
  ///
  /// Others may read the rows meanwhile as they were.
  package func saveTogether<Output>(
    in store: some WritableAtomicStore, doing: String,
    _ body: (any BulkTransaction) throws -> Output
  ) throws -> Output {
    try checkWritable(store)
    var failure: (any Error)?
    do {
      return try store.exclusively { () throws(StoreError) in
        let transaction = AtomicTransaction(
          try locked { contents throws(StoreError) in try contents.current(from: store) })
        let output: Output
        do { output = try body(transaction) } catch {
          failure = error
          throw StoreError(.other, doing: doing, detail: "\(error)")
        }
        try FetchControl.committing(doing: doing) { () throws(StoreError) in
          try store.write(transaction.rows)
        }
        let rows = transaction.rows
        contents.withLock { ($0.rows, $0.stamp) = (rows, store.stamp) }
        return output
      }
    } catch {
      throw failure ?? error
    }
  }

  private func checkWritable(_ store: some WritableAtomicStore) throws(StoreError) {
    let summary = store.summary
    guard let reason = summary.readOnlyReason else { return }
    throw StoreError(
      .readOnly, doing: "saving", subject: summary.path ?? summary.name, detail: reason)
  }

  private func locked<Output: Sendable>(
    _ body: (inout Contents) throws(StoreError) -> Output
  ) throws(StoreError) -> Output {
    try contents.withLock { contents -> Result<Output, StoreError> in
      do throws(StoreError) { return .success(try body(&contents)) } catch {
        return .failure(error)
      }
    }.get()
  }
}

extension AtomicCache.Contents {
  /// The rows, read if they were not yet.
  fileprivate mutating func loaded(from store: some WritableAtomicStore) throws(StoreError)
    -> InMemoryRows
  {
    if let rows { return rows }
    return try load(from: store)
  }

  /// The rows as they are in the store now.
  fileprivate mutating func current(from store: some WritableAtomicStore) throws(StoreError)
    -> InMemoryRows
  {
    if let rows, store.stamp == stamp { return rows }
    return try load(from: store)
  }

  /// Reads the rows.
  fileprivate mutating func load(from store: some WritableAtomicStore) throws(StoreError)
    -> InMemoryRows
  {
    // Before the rows: what is written meanwhile makes it another one.
    let stamp = store.stamp
    let loaded = try store.load()
    (rows, self.stamp) = (loaded, stamp)
    loadCount += 1
    return loaded
  }
}

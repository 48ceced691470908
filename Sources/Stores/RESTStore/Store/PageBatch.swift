import ObjectModel

/// Objects of several pages, which are written together: a transaction costs more than a hundred
/// objects.
///
/// The first page is the first screen, and a page that took its time is waited for: neither waits for
/// others.
struct PageBatch {
  let store: RESTStore
  private var objects: [RemoteObject] = []
  private var stamp = 0
  private var written: ContinuousClock.Instant?

  private static let size = 5_000
  private static let patience = Duration.milliseconds(250)

  init(_ store: RESTStore) { self.store = store }

  /// Adds the objects of a page.
  ///
  /// - Parameters:
  ///   - page: The objects.
  ///   - stamp: How many saves had been made when they were asked for.
  /// - Returns: The objects that were written.
  /// - Throws: `StoreError` if they cannot be written.
  mutating func add(_ page: [RemoteObject], stamp: Int) throws(StoreError) -> [ObjectID] {
    var ids = stamp == self.stamp ? [] : try write()
    self.stamp = stamp
    objects += page
    let isDue = written.map { .now - $0 > Self.patience } ?? true
    if isDue || objects.count >= Self.size { ids += try write() }
    return ids
  }

  /// Writes what was added.
  mutating func write() throws(StoreError) -> [ObjectID] {
    if objects.isEmpty { return [] }
    let change = CacheChange(objects: objects)
    objects = []
    written = .now
    return try store.write(change, since: stamp).ids
  }
}

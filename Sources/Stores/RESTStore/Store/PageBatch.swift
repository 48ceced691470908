import ObjectModel

/// Objects of several pages, which are written together, while further pages come: a transaction
/// costs more than a hundred objects.
///
/// The first page is the first screen, and a page that took its time is waited for: neither waits for
/// others.
struct PageBatch {
  let store: RESTStore
  private var objects: [RemoteObject] = []
  private var stamp = 0
  private var started: ContinuousClock.Instant?
  /// What is being written: one batch at a time.
  private var coming: Coming<[ObjectID]>?

  private static let size = 5_000
  private static let patience = Duration.milliseconds(250)

  init(_ store: RESTStore) { self.store = store }

  /// Adds the objects of a page.
  ///
  /// - Parameters:
  ///   - page: The objects.
  ///   - stamp: How many saves had been made when they were asked for.
  /// - Returns: Objects that were written since.
  /// - Throws: `StoreError` if those before cannot be written.
  mutating func add(_ page: [RemoteObject], stamp: Int) throws(StoreError) -> [ObjectID] {
    var ids = stamp == self.stamp ? [] : try write()
    self.stamp = stamp
    objects += page
    let isDue = started.map { .now - $0 > Self.patience } ?? true
    if isDue || objects.count >= Self.size { ids += try write() }
    return ids
  }

  /// Writes what was added, and waits for it.
  ///
  /// - Returns: Objects that were written since ``add(_:stamp:)`` said so.
  /// - Throws: `StoreError` if they cannot be written.
  mutating func end() throws(StoreError) -> [ObjectID] { try write() + written() }

  /// Begins to write what was added.
  private mutating func write() throws(StoreError) -> [ObjectID] {
    if objects.isEmpty { return [] }
    let ids = try written()
    let isFirst = started == nil
    coming = Coming { [store, objects, stamp] () throws(StoreError) in
      try store.write(CacheChange(objects: objects), since: stamp).ids
    }
    objects = []
    started = .now
    // The first screen is shown before the network is used for what is below it.
    return isFirst ? try written() : ids
  }

  /// Waits for what is being written.
  private mutating func written() throws(StoreError) -> [ObjectID] {
    defer { coming = nil }
    return try coming?.value() ?? []
  }
}

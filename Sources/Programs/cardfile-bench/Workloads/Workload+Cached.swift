import FetchedResults
import Foundation
import ManagedObjects
import ObjectModel
import SQLiteStore

extension Workload {
  static let cached = Workload(
    name: "cached",
    meaning: "open the store and a list that an earlier process kept, in localized order with "
      + "initials, and read a row in its middle; all IDs in binary order",
    goal: .milliseconds(50)
  ) { setting in
    let folder = CacheFolder(beside: setting.path)
    defer { folder.remove() }
    // The state of a file that was written a moment ago is not recognised.
    usleep(50_000)
    try openList(setting, cache: folder.cache)
    let first = try folder.file()
    let database = try RawDatabase(path: setting.path)
    return try Measurement(
      setting,
      ours: { try openList(setting, cache: folder.cache) },
      raw: { try readIDs(database) },
      reset: {
        guard try folder.file() == first else {
          throw RawDatabase.SQLiteError(description: "the list was not taken from the cache")
        }
      })
  }

  static let caching = Workload(
    name: "caching",
    meaning: "the same for the first time, when the list is fetched and kept; without a cache"
  ) { setting in
    let folder = CacheFolder(beside: setting.path)
    defer { folder.remove() }
    usleep(50_000)
    return try Measurement(
      setting,
      ours: {
        try openList(setting, cache: folder.cache)
        _ = try folder.file()
      },
      raw: { try openList(setting, cache: nil) },
      reset: { folder.remove() })
  }

  /// Opens the store as a process does that has just started, and shows the list.
  private static func openList(_ setting: Setting, cache: FetchedResultsCache?) throws {
    let store = try SQLiteStore.open(path: setting.path)
    let request = FetchRequest<ManagedObject>(
      entityName: "people",
      sortDescriptors: [FetchSortDescriptor("surname", comparison: .localized)])
    let controller = FetchedResultsController(
      fetchRequest: request,
      context: ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store)),
      sectionKey: SectionKey("surname", .initial), cacheName: cache == nil ? nil : "people")
    if let cache { controller.cache = cache }
    try controller.performFetch()
    guard controller.count == setting.rows, let sections = controller.sections else {
      throw RawDatabase.SQLiteError(description: "the list has \(controller.count) rows")
    }
    let middle = sections[sections.count / 2]
    consume(middle.objects[middle.numberOfObjects / 2]["surname"].description.utf8.count)
  }

  private static func readIDs(_ database: borrowing RawDatabase) throws {
    let statement = try database.prepare("SELECT id FROM people ORDER BY surname")
    var ids: [Int64] = []
    while try statement.step() { ids.append(statement.integer(at: 0)) }
    consume(ids.count)
  }
}

/// A folder for caches beside a database.
private struct CacheFolder {
  let cache: FetchedResultsCache

  init(beside path: String) { cache = FetchedResultsCache(path: path + "-caches") }

  /// The number of the file in which the list is kept: a new one has another.
  func file() throws -> Int {
    let names = try FileManager.default.contentsOfDirectory(atPath: cache.path)
    guard let name = names.first else {
      throw RawDatabase.SQLiteError(description: "the list was not kept")
    }
    let attributes = try FileManager.default.attributesOfItem(atPath: "\(cache.path)/\(name)")
    return attributes[.systemFileNumber] as? Int ?? 0
  }

  func remove() { try? FileManager.default.removeItem(atPath: cache.path) }
}

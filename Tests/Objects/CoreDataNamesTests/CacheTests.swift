import CoreDataNames
import Foundation
import TestSupport
import Testing

/// Caches of results controllers, under Core Data's names.
struct CacheTests {
  private let folder: TemporaryFolder
  /// No other test uses the name: the folder of the program is common to all.
  private let name = "cache \(UUID().uuidString)"

  private static let model = NSManagedObjectModel {
    Entity("Item") { Attribute("title", .string) }
  }

  init() throws {
    folder = try TemporaryFolder()
    let container = try makeContainer()
    for title in ["b", "a", "c"] {
      NSEntityDescription.insertNewObject(forEntityName: "Item", into: container.viewContext)
        .setValue(title, forKey: "title")
    }
    try container.viewContext.save()
    // The state of a file that was written a moment ago is not recognised.
    usleep(30_000)
  }

  private func makeContainer() throws -> NSPersistentContainer {
    let container = NSPersistentContainer(name: "items", managedObjectModel: Self.model)
    container.persistentStoreDescriptions = [
      NSPersistentStoreDescription(url: folder.url("items.sqlite"))
    ]
    try container.load()
    return container
  }

  private func makeController(_ format: String? = nil) throws -> NSFetchedResultsController<
    NSManagedObject
  > {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
    request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
    request.predicate = format.map { NSPredicate(format: $0) }
    return NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: try makeContainer().viewContext,
      sectionNameKeyPath: nil, cacheName: name)
  }

  private func titles(_ controller: NSFetchedResultsController<NSManagedObject>) -> String {
    (controller.fetchedObjects ?? []).map { $0.value(forKey: "title") as? String ?? "" }.joined()
  }

  /// The inode number of the cache's file, another one once the file is replaced; nil if there is
  /// none.
  private func file(of controller: NSFetchedResultsController<NSManagedObject>) throws -> Int? {
    let path = controller.resultsController.cache.path
    let files = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    let own = files.first { $0.hasPrefix(name.replacing(" ", with: "%20")) }
    return try own.map {
      let attributes = try FileManager.default.attributesOfItem(atPath: "\(path)/\($0)")
      return try #require(attributes[.systemFileNumber] as? Int)
    }
  }

  @Test func `a list is kept under its cache name until that is deleted`() throws {
    defer { NSFetchedResultsController<NSManagedObject>.deleteCache(withName: name) }
    let first = try makeController()
    #expect(first.cacheName == name)
    try first.performFetch()
    let kept = try #require(try file(of: first))
    let second = try makeController()
    try second.performFetch()
    #expect(titles(second) == "abc")
    #expect(try file(of: second) == kept)
    NSFetchedResultsController<NSManagedObject>.deleteCache(withName: "no " + name)
    #expect(try file(of: second) == kept)
    NSFetchedResultsController<NSManagedObject>.deleteCache(withName: name)
    #expect(try file(of: second) == nil)
    #expect(titles(second) == "abc")
  }

  @Test func `another predicate under the same name has its own rows`() throws {
    defer { NSFetchedResultsController<NSManagedObject>.deleteCache(withName: name) }
    try makeController().performFetch()
    let filtered = try makeController("title != 'b'")
    try filtered.performFetch()
    #expect(titles(filtered) == "ac")
    filtered.fetchRequest.predicate = NSPredicate(format: "title != 'a'")
    try filtered.performFetch()
    #expect(titles(filtered) == "bc")
    let again = try makeController("title != 'a'")
    try again.performFetch()
    #expect(titles(again) == "bc")
  }
}

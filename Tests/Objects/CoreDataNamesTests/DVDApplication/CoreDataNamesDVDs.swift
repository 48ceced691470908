import CoreDataNames
import Foundation
import TestSupport
import Testing

// A small application with Core Data's names; its model and its generated classes are beside it.
// `TypedKeysDVDs.swift` has it with typed keys, and `MacroDVDs.swift` with the macro.

// application
class SmallCollection {
  let container: NSPersistentContainer
  var context: NSManagedObjectContext { container.viewContext }

  init(url: URL) {
    container = NSPersistentContainer(name: "DVDs", entityClasses: MOEntityClasses.all)
    container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
    container.loadPersistentStores { (_, error) in
      if let error { fatalError("Unresolved error \(error)") }
    }
  }

  func find(_ username: String) throws -> Person? {
    let fetchRequest: NSFetchRequest<Person> = Person.fetchRequest()
    fetchRequest.predicate = NSPredicate(format: "username == %@", username)
    fetchRequest.fetchLimit = 1
    return try context.fetch(fetchRequest).first
  }

  func insert(_ title: String, ofOwner username: String) throws {
    let owner = try find(username) ?? Person(context: context)
    owner.username = username
    let dvd = DVD(context: context)
    dvd.title = title
    dvd.purchaseDate = Date()
    dvd.owner = owner
  }

  func list(ofOwner username: String) throws -> [String] {
    let fetchRequest: NSFetchRequest<DVD> = DVD.fetchRequest()
    fetchRequest.predicate = NSPredicate(format: "owner.username == %@", username)
    fetchRequest.sortDescriptors = [
      NSSortDescriptor(key: "title", ascending: true, selector: .localizedStandardCompare)
    ]
    let controller = NSFetchedResultsController(
      fetchRequest: fetchRequest, managedObjectContext: context,
      sectionNameKeyPath: "title:initial", cacheName: nil)
    try controller.performFetch()
    return controller.sections?.map { section in
      let dvds = section.objects as? [DVD] ?? []
      return "\(section.name): " + dvds.map(\.title).joined(separator: ", ")
    } ?? []
  }

  func delete(_ username: String) throws {
    if let owner = try find(username) { context.delete(owner) }
  }

  func save() throws { try context.save() }
}
// end of application

struct CoreDataNamesDVDsTests {
  @Test func `DVDs are listed in sections, and deleted with their owner`() throws {
    let folder = try TemporaryFolder()
    let dvds = SmallCollection(url: folder.url("dvds.sqlite"))
    for title in ["Cube", "alien", "Brazil", "Amadeus"] {
      try dvds.insert(title, ofOwner: "ada")
    }
    try dvds.insert("Dune", ofOwner: "eve")
    try dvds.save()
    #expect(try dvds.list(ofOwner: "ada") == ["A: alien, Amadeus", "B: Brazil", "C: Cube"])
    try dvds.delete("ada")
    try dvds.save()
    #expect(try dvds.find("ada") == nil)
    let again = SmallCollection(url: folder.url("dvds.sqlite"))
    #expect(try again.list(ofOwner: "ada") == [])
    #expect(try again.list(ofOwner: "eve") == ["D: Dune"])
  }
}

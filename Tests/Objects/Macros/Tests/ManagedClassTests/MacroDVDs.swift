import FetchedResults
import Foundation
import ManagedObjects
import ObjectModel
import PersistentContainers
import Testing

/// A small application with the macro. `TypedKeysDVDs.swift` has it with typed keys alone, and
/// `CoreDataNamesDVDs.swift` with Core Data's names.
enum MacroDVDs {
  // application
  @Managed final class Person: ManagedObject {
    @Unique var username: String
    var name: String?
    @ToMany(inverse: \DVD.owner, .cascade) var dvds: Set<DVD>
  }

  @Managed final class DVD: ManagedObject {
    var title: String
    var purchaseDate: Date?
    @ToOne(isOptional: false) var owner: Person?
  }

  @MainActor struct Collection {
    let context: ManagedObjectContext

    init(path: String) throws {
      context = try PersistentContainer(path: path, entityClasses: [Person.self, DVD.self])
        .viewContext
    }

    func find(_ username: String) throws -> Person? {
      try Person.object(where: Person.username == username, in: context)
    }

    func insert(_ title: String, ofOwner username: String) throws {
      let owner = try find(username) ?? Person.insert(into: context)
      owner.username = username
      let dvd = try DVD.insert(into: context)
      (dvd.title, dvd.purchaseDate, dvd.owner) = (title, Date(), owner)
    }

    func list(ofOwner username: String) throws -> [String] {
      let controller = FetchedResultsController(
        fetchRequest: FetchRequest<DVD>(
          predicate: DVD.owner.username == username,
          sortDescriptors: [DVD.title.ascending(by: .localized)]),
        context: context, sectionKey: SectionKey(DVD.title, .initial))
      try controller.performFetch()
      return controller.sections?.map { section in
        "\(section.name): " + section.objects.map(\.title).joined(separator: ", ")
      } ?? []
    }

    func delete(_ username: String) throws {
      if let owner = try find(username) { try context.delete(owner) }
    }

    func save() throws { try context.save() }
  }
  // end of application
}

@MainActor struct MacroDVDsTests {
  @Test func `DVDs are listed in sections, and deleted with their owner`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "dvds.sqlite").path
    let dvds = try MacroDVDs.Collection(path: path)
    for title in ["Cube", "alien", "Brazil", "Amadeus"] {
      try dvds.insert(title, ofOwner: "ada")
    }
    try dvds.insert("Dune", ofOwner: "eve")
    try dvds.save()
    #expect(try dvds.list(ofOwner: "ada") == ["A: alien, Amadeus", "B: Brazil", "C: Cube"])
    try dvds.delete("ada")
    try dvds.save()
    #expect(try dvds.find("ada") == nil)
    let again = try MacroDVDs.Collection(path: path)
    #expect(try again.list(ofOwner: "ada") == [])
    #expect(try again.list(ofOwner: "eve") == ["D: Dune"])
  }
}

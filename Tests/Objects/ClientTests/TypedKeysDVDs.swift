import Cardfile
import TestSupport
import Testing

/// A small application with typed keys. `MacroDVDs.swift` has it with the macro, and
/// `CoreDataNamesDVDs.swift` with Core Data's names.
enum TypedKeysDVDs {
  // application
  final class Person: ManagedObject, EntityClass {
    static let username = AttributeKey<Person, String>("username")
    static let name = AttributeKey<Person, String?>("name")
    static let dvds = RelationshipKey<Person, Set<DVD>>("dvds")
    static let properties: Properties = [
      Attribute(username, isUnique: true), name,
      ToMany(dvds, inverse: DVD.owner, deleteRule: .cascade),
    ]
  }

  final class DVD: ManagedObject, EntityClass {
    static let title = AttributeKey<DVD, String>("title")
    static let purchaseDate = AttributeKey<DVD, Date?>("purchaseDate")
    static let owner = RelationshipKey<DVD, Person?>("owner")
    static let properties: Properties = [title, purchaseDate, ToOne(owner, isOptional: false)]
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
      owner[Person.username] = username
      let dvd = try DVD.insert(into: context)
      dvd[DVD.title] = title
      dvd[DVD.purchaseDate] = Date()
      dvd[DVD.owner] = owner
    }

    func list(ofOwner username: String) throws -> [String] {
      let controller = FetchedResultsController(
        fetchRequest: FetchRequest<DVD>(
          predicate: DVD.owner.username == username,
          sortDescriptors: [DVD.title.ascending(by: .localized)]),
        context: context, sectionKey: SectionKey(DVD.title, .initial))
      try controller.performFetch()
      return controller.sections?.map { section in
        "\(section.name): " + section.objects.map { $0[DVD.title] }.joined(separator: ", ")
      } ?? []
    }

    func delete(_ username: String) throws {
      if let owner = try find(username) { try context.delete(owner) }
    }

    func save() throws { try context.save() }
  }
  // end of application
}

@MainActor struct TypedKeysDVDsTests {
  @Test func `DVDs are listed in sections, and deleted with their owner`() throws {
    let folder = try TemporaryFolder()
    let dvds = try TypedKeysDVDs.Collection(path: folder.path("dvds.sqlite"))
    for title in ["Cube", "alien", "Brazil", "Amadeus"] {
      try dvds.insert(title, ofOwner: "ada")
    }
    try dvds.insert("Dune", ofOwner: "eve")
    try dvds.save()
    #expect(try dvds.list(ofOwner: "ada") == ["A: alien, Amadeus", "B: Brazil", "C: Cube"])
    try dvds.delete("ada")
    try dvds.save()
    #expect(try dvds.find("ada") == nil)
    let again = try TypedKeysDVDs.Collection(path: folder.path("dvds.sqlite"))
    #expect(try again.list(ofOwner: "ada") == [])
    #expect(try again.list(ofOwner: "eve") == ["D: Dune"])
  }
}

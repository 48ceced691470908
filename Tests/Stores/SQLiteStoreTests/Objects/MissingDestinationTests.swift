import ManagedObjects
import ObjectModel
import TestStores
import Testing

@Suite struct MissingDestinationTests {
  private static let model = ManagedObjectModel {
    Entity("Person") {
      Attribute("name", .string)
      ToOne("employer", "Company", inverse: "employees")
      ToOne("favourite", "Company")
      ToMany("tags", "Tag", inverse: "people")
      ToMany("notes", "Note")
    }
    Entity("Company") {
      Attribute("name", .string)
      ToMany("employees", "Person", inverse: "employer", deleteRule: .noAction)
    }
    Entity("Tag") {
      Attribute("name", .string)
      ToMany("people", "Person", inverse: "tags")
    }
    Entity("Note") { Attribute("name", .string) }
  }

  /// How an object is made to lead to one that another context deletes.
  enum Reference: CaseIterable, Sendable {
    case toOne, toOneWithoutInverse, toMany, links, linksWithoutInverse, newObject
  }

  @Test(arguments: TestedStore.allCases, Reference.allCases)
  func `a reference to an object that another context deleted is refused and names both`(
    kind: TestedStore, reference: Reference
  ) throws {
    let store = try ObjectStore(kind, Self.model)
    let (mine, theirs) = (store.context(), store.context())
    let ada = try mine.make("Person", "Ada")
    let targets = try ["Company", "Tag", "Note"].map { try mine.make($0, "X") }
    try mine.save()
    let target: ManagedObject
    var source = ada
    switch reference {
    case .toOne:
      target = targets[0]
      try ada.setObject(target, forKey: "employer")
    case .toOneWithoutInverse:
      target = targets[0]
      try ada.setObject(target, forKey: "favourite")
    case .toMany:
      target = targets[0]
      try target.add(ada, forKey: "employees")
    case .links:
      target = targets[1]
      try ada.add(target, forKey: "tags")
    case .linksWithoutInverse:
      target = targets[2]
      try ada.add(target, forKey: "notes")
    case .newObject:
      target = targets[0]
      source = try mine.make("Person", "Bob")
      try source.setObject(target, forKey: "employer")
    }
    try theirs.delete([target.objectID])
    try theirs.save()
    let error = #expect(throws: ManagedObjectError.self) { try mine.save() }
    #expect(error?.reason == .conflict && error?.storeError?.reason == .constraint)
    #expect(error?.problems.map(\.objectID).contains(source.objectID) == true)
    #expect(error?.problems.allSatisfy { $0.destinationID == target.objectID } == true)
    #expect(Set(error?.objectIDs ?? []) == [source.objectID, target.objectID])
    let text = String(describing: error)
    #expect(text.contains(target.objectID.entityName) && text.contains("Person"), "\(text)")
    #expect(mine.hasChanges)
    let fresh = store.context()
    #expect(try fresh.names("Person", where: "TRUEPREDICATE") == ["Ada"])
    #expect(try fresh.named("Ada", "Person").objectID(forKey: "employer") == nil)
  }

  @Test(arguments: TestedStore.allCases)
  func `an unchanged reference does not keep an object from being saved`(kind: TestedStore)
    throws
  {
    let store = try ObjectStore(kind, Self.model)
    let (mine, theirs) = (store.context(), store.context())
    let ada = try mine.make("Person", "Ada")
    try ada.setObject(mine.make("Company", "X"), forKey: "employer")
    try mine.save()
    try theirs.delete(theirs.named("X", "Company"))
    try theirs.save()
    ada["name"] = "Ada L"
    try mine.save()
    #expect(try store.context().names("Person", where: "name == 'Ada L'") == ["Ada L"])
  }

  @Test func `a foreign key that never led to an object is no conflict`() throws {
    let database = try TemporaryDatabase(
      """
      CREATE TABLE author (id INTEGER PRIMARY KEY);
      CREATE TABLE book (id INTEGER PRIMARY KEY, author_id INTEGER REFERENCES author (id));
      INSERT INTO book VALUES (1, NULL);
      """)
    let context = ManagedObjectContext(
      coordinator: PersistentStoreCoordinator(store: try database.open()))
    let book = try #require(
      try context.fetch(FetchRequest<ManagedObject>(entityName: "book")).first)
    book["author_id"] = 77
    let error = #expect(throws: ManagedObjectError.self) { try context.save() }
    #expect(error?.reason == .store && error?.storeError?.reason == .constraint)
    #expect(error?.problems == [])
  }
}

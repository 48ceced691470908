import ManagedObjects
import ObjectModel
import SQLiteStore
import Testing

/// Another program changes, moves or deletes an object of a to-many relationship.
struct ForeignOwnersTests {
  private let database: TemporaryDatabase
  private let context: ManagedObjectContext
  private let pets: [ManagedObject]

  init() throws {
    database = try TemporaryDatabase(
      """
      CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE pet (id INTEGER PRIMARY KEY, name TEXT, person INTEGER REFERENCES person(id));
      INSERT INTO person VALUES (1, 'Ann'), (2, 'Bea');
      INSERT INTO pet VALUES (1, 'Rex', 1), (2, 'Tom', 1), (3, 'Ivy', NULL);
      """)
    context = ManagedObjectContext(
      coordinator: PersistentStoreCoordinator(store: try database.open()))
    pets = try context.fetch(FetchRequest<ManagedObject>(entityName: "pet"))
    // The rows have been read.
    #expect(pets.map { $0.string("name") } == ["Rex", "Tom", "Ivy"])
  }

  /// The names of the people whose pets have changed, after statements of another program.
  private func owners(_ statements: String) throws -> [String] {
    try database.run(statements)
    let change = try context.refreshFromStore()
    return (change?.changedKeys ?? [:]).filter { $0.value.contains("pets") }.keys
      .filter { change?.refreshed.contains($0) == true }
      .map { context.object(with: $0).string("name") }.sorted()
  }

  @Test func `the owner of a deleted object has changed`() throws {
    #expect(try owners("DELETE FROM pet WHERE id = 1") == ["Ann"])
    #expect(try owners("DELETE FROM pet WHERE id = 3") == [])
  }

  @Test func `both owners of a moved object have changed`() throws {
    #expect(try owners("UPDATE pet SET person = 2 WHERE id = 1") == ["Ann", "Bea"])
    #expect(try owners("UPDATE pet SET person = NULL WHERE id = 2") == ["Ann"])
    #expect(try owners("UPDATE pet SET person = 2 WHERE id = 3") == ["Bea"])
    #expect(try owners("UPDATE pet SET name = 'x' WHERE id = 3") == [])
  }

  @Test func `both owners of a moved object with unsaved changes have changed`() throws {
    pets[0]["name"] = "Max"
    #expect(try owners("UPDATE pet SET person = 2 WHERE id = 1") == ["Ann", "Bea"])
    #expect(pets[0].string("name") == "Max" && pets[0]["person"] == .integer(2))
  }

  @Test(arguments: [false, true])
  func `an owner deleted with its object is not said to have changed`(isOwnerRead: Bool) throws {
    let people = try context.fetch(FetchRequest<ManagedObject>(entityName: "person"))
    if isOwnerRead { #expect(people.map { $0.string("name") } == ["Ann", "Bea"]) }
    let ann = people[0].objectID
    try database.run("DELETE FROM pet WHERE person = 1; DELETE FROM person WHERE id = 1")
    let change = try #require(try context.refreshFromStore())
    #expect(change.deleted.isSuperset(of: pets[..<2].map(\.objectID)))
    #expect(change.deleted.contains(ann))
    #expect(change.changedKeys[ann] == nil)
    #expect(!change.refreshed.contains(ann))
  }

  @Test func `an owner that another context deleted with its object has not changed`() throws {
    let other = ManagedObjectContext(coordinator: context.persistentStoreCoordinator)
    let ann = try context.fetch(FetchRequest<ManagedObject>(entityName: "person"))[0]
    #expect(ann.string("name") == "Ann")
    for pet in pets[..<2] { try other.delete(other.object(with: pet.objectID)) }
    try other.delete(other.object(with: ann.objectID))
    try other.save()
    let change = try #require(context.processPendingChanges())
    #expect(change.deleted.contains(ann.objectID))
    #expect(change.changedKeys[ann.objectID] == nil)
    #expect(!change.refreshed.contains(ann.objectID))
  }
}

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
}

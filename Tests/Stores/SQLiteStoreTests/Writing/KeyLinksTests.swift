import GRDB
import ManagedObjects
import ObjectModel
import SQLiteStore
import Testing

/// Relationships that are parts of their object's key.
struct KeyLinksTests {
  private func context() throws -> (TemporaryDatabase, ManagedObjectContext) {
    let database = try TemporaryDatabase(
      """
      CREATE TABLE person(id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE tag(code TEXT PRIMARY KEY, title TEXT);
      CREATE TABLE entry(person_id INTEGER NOT NULL REFERENCES person(id),
        tag_code TEXT NOT NULL REFERENCES tag(code),
        note TEXT, PRIMARY KEY(person_id, tag_code));
      INSERT INTO person VALUES (1, 'Ada'), (2, 'Bob');
      INSERT INTO tag VALUES ('a', 'First'), ('b', 'Second');
      INSERT INTO entry VALUES (1, 'a', 'x');
      """)
    let store = try database.open()
    return (database, ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store)))
  }

  private func all(_ entity: String, in context: ManagedObjectContext) throws -> [ManagedObject] {
    Array(try context.fetch(FetchRequest<ManagedObject>(entityName: entity)))
  }

  @Test func `a link that is part of a saved object's key stays, from either end`() throws {
    let (database, context) = try context()
    defer { withExtendedLifetime(database) {} }
    let entry = try #require(try all("entry", in: context).first)
    let people = try all("person", in: context).sorted { $0.objectID < $1.objectID }
    let name = try #require(
      entry.entity.toOneRelationships.first { $0.destinationEntityName == "person" }?.name)
    let back = try #require(
      people[0].entity.relationships.first { $0.destinationEntityName == "entry" }?.name)
    for change in [
      { try entry.setObject(people[1], forKey: name) },
      { try entry.setObject(nil, forKey: name) },
      { try people[1].add(entry, forKey: back) },
      { try people[0].remove(entry, forKey: back) },
    ] {
      let error = #expect(throws: ManagedObjectError.self) { try change() }
      #expect(error?.reason == .readOnly)
    }
    #expect(!context.hasChanges && !context.undoHistory.canUndo)
    entry["note"] = "y"
    try context.save()
  }

  @Test func `the links of a new object can be set until it is saved`() throws {
    let (database, context) = try context()
    let people = try all("person", in: context).sorted { $0.objectID < $1.objectID }
    let tag = try #require(try all("tag", in: context).last)
    let entry = try context.insert(entityName: "entry")
    for relationship in entry.entity.toOneRelationships {
      let isPerson = relationship.destinationEntityName == "person"
      if isPerson { try entry.setObject(people[0], forKey: relationship.name) }
      try entry.setObject(isPerson ? people[1] : tag, forKey: relationship.name)
    }
    try context.save()
    let count = try database.connect().read {
      try Int.fetchOne($0, sql: "SELECT count(*) FROM entry WHERE person_id = 2")
    }
    #expect(count == 1)
  }
}

import GRDB
import ManagedObjects
import ObjectModel
import SQLiteStore
import Testing

/// ON DELETE SET DEFAULT in plain databases: a deletion does what SQLite does.
struct SetDefaultTests {
  /// Makes people and pets of theirs; the default owner is given.
  private func database(_ column: String) throws -> TemporaryDatabase {
    try TemporaryDatabase(
      """
      CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE pet (id INTEGER PRIMARY KEY, name TEXT,
        owner \(column) REFERENCES person(id) ON DELETE SET DEFAULT);
      CREATE INDEX pet_owner ON pet(owner);
      INSERT INTO person VALUES (1, 'nobody'), (2, 'Ann'), (3, 'Bea');
      INSERT INTO pet VALUES (1, 'Rex', 2), (2, 'Tom', 2), (3, 'Ada', 3);
      """)
  }

  private func owners(_ database: TemporaryDatabase) throws -> [String] {
    try database.connect().read {
      try String.fetchAll(
        $0, sql: "SELECT name || ' ' || coalesce(owner, 'NULL') FROM pet ORDER BY id")
    }
  }

  private func context(_ database: TemporaryDatabase) throws -> ManagedObjectContext {
    ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: try database.open()))
  }

  @Test(arguments: [
    "INTEGER DEFAULT 1", "INTEGER DEFAULT (1)", "INTEGER DEFAULT NULL", "INTEGER",
    "INTEGER NOT NULL DEFAULT 1", "INTEGER DEFAULT 99", "INTEGER DEFAULT 2",
  ])
  func `a deletion leaves the rows that SQLite leaves, or both refuse it`(column: String) throws {
    let (ours, theirs) = (try database(column), try database(column))
    let isDone = Result {
      try theirs.run("PRAGMA foreign_keys = ON; DELETE FROM person WHERE id = 2")
    }
    let context = try context(ours)
    let plan = try context.deletionPlan(for: [context.named("Ann", "person").objectID])
    let done = Result { try context.save(deleting: plan) }
    #expect((try? isDone.get()) == nil ? (try? done.get()) == nil : (try? done.get()) != nil)
    #expect(try owners(ours) == owners(theirs))
    #expect(
      try ours.connect().read { try Int.fetchOne($0, sql: "SELECT count(*) FROM person") }
        == theirs.connect().read { try Int.fetchOne($0, sql: "SELECT count(*) FROM person") })
  }

  @Test func `the summary says that the default is set, and undo restores the owner`() throws {
    let database = try database("INTEGER DEFAULT 1")
    let context = try context(database)
    let ann = try context.named("Ann", "person")
    let plan = try context.deletionPlan(for: [ann.objectID])
    let summary = try SaveSummary(of: context, deleting: plan)
    #expect(summary.defaulted.map { "\($0.relationship) \($0.count)" } == ["pet.owner_person 2"])
    #expect(summary.nullified.isEmpty && summary.changed.isEmpty)
    try context.save(deleting: plan)
    #expect(try owners(database) == ["Rex 1", "Tom 1", "Ada 3"])
    #expect(context.names(try context.named("nobody", "person"), "pets") == ["Rex", "Tom"])
    context.undoHistory.undo()
    try context.save()
    #expect(try owners(database) == ["Rex 2", "Tom 2", "Ada 3"])
  }

  @Test func `a default that only SQLite can compute denies the deletion`() throws {
    let database = try database("INTEGER DEFAULT (abs(-1))")
    let context = try context(database)
    let plan = try context.deletionPlan(for: [context.named("Ann", "person").objectID])
    #expect(plan.denied.map(\.count) == [2])
  }
}

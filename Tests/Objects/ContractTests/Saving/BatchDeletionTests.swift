import FetchedResults
import GRDB
import ManagedObjects
import ObjectModel
import SQLiteStore
import TestSupport
import Testing

/// A batch deletion in a plain table is one statement, with the same results as any other.
@Suite struct `Batch deletion with one statement` {
  private let folder: TemporaryFolder
  private let store: InstrumentedStore
  private let coordinator: PersistentStoreCoordinator
  private let context: ManagedObjectContext

  init() throws {
    folder = try TemporaryFolder()
    try DatabaseQueue(path: folder.path("plain")).write {
      try $0.execute(
        sql: """
          CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, age INTEGER);
          CREATE TABLE places (country TEXT, name TEXT, PRIMARY KEY (country, name)) WITHOUT ROWID;
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
            INSERT INTO people SELECT i, 'p' || i, nullif(i % 10, 0) FROM n;
          INSERT INTO places VALUES ('CH', 'Bern'), ('CH', 'Basel'), ('AT', 'Wien');
          CREATE TABLE watched (id INTEGER PRIMARY KEY, name TEXT);
          CREATE TABLE seen (id INTEGER PRIMARY KEY, name TEXT);
          CREATE TRIGGER watch AFTER DELETE ON watched
            BEGIN INSERT INTO seen (name) VALUES (old.name); END;
          INSERT INTO watched VALUES (1, 'a'), (2, 'b');
          """)
    }
    store = InstrumentedStore(try SQLiteStore.open(path: folder.path("plain")))
    coordinator = PersistentStoreCoordinator(store: store)
    context = ManagedObjectContext(coordinator: coordinator)
  }

  private func deleting(_ entity: String, _ format: String?) throws -> BatchDeleteRequest {
    BatchDeleteRequest(
      FetchRequest<ManagedObject>(
        entityName: entity, predicate: try format.map { try FetchPredicate(format: $0) }))
  }

  private func ids(_ entity: String) throws -> [ObjectID] {
    Array(try context.fetchIDs(FetchPlan(entityName: entity)).ids)
  }

  @Test(arguments: [
    ("people", "age == NULL", 100), ("people", "age > 6 AND name != 'p7'", 299),
    ("people", "age > 90", 0), ("people", nil, 1_000), ("places", "country == 'CH'", 2),
  ]) func `it returns what it deleted, and reads no row`(
    entity: String, condition: String?, count: Int
  ) throws {
    let before = try ids(entity)
    store.resetCounts()
    let result = try context.execute(deleting(entity, condition))
    #expect(store.counts.rows == 0)
    #expect(result.deletedObjectIDs.count == count && result.updatedObjectIDs.isEmpty)
    #expect(result.deletedObjectIDs == result.deletedObjectIDs.sorted())
    #expect(Set(try ids(entity)) == Set(before).subtracting(result.deletedObjectIDs))
  }

  @Test func `contexts and their lists have lost the objects when it returns`() throws {
    let other = ManagedObjectContext(coordinator: coordinator)
    let list = FetchedResultsController<ManagedObject>(
      fetchRequest: FetchRequest(
        entityName: "people", sortDescriptors: [FetchSortDescriptor("id")]),
      context: context)
    try list.performFetch()
    let mine = context.object(with: try ids("people")[6])
    let theirs = other.object(with: mine.objectID)
    #expect(mine["name"] == "p7" && theirs["name"] == "p7")
    try context.execute(deleting("people", "age > 6"))
    #expect(list.count == 700 && !mine.isAccessible)
    other.processPendingChanges()
    #expect(!theirs.isAccessible)
  }

  @Test func `with a limit or a trigger it is not one statement, and does the same`() throws {
    var request = FetchRequest<ManagedObject>(
      entityName: "people", sortDescriptors: [FetchSortDescriptor("id", ascending: false)])
    request.fetchLimit = 3
    let last = try ids("people").suffix(3)
    #expect(try context.execute(BatchDeleteRequest(request)).deletedObjectIDs == Array(last))
    #expect(try context.execute(deleting("watched", nil)).deletedObjectIDs.count == 2)
    #expect(try ids("seen").count == 2)
  }
}

import ManagedObjects
import ObjectModel
import SQLiteStore
import TestSupport
import Testing

/// The keys that new objects get by a save.
struct NewKeyTests {
  private static let schema = """
    CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, size INTEGER);
    INSERT INTO t VALUES (5, 'old', 1);
    """

  private func context(_ database: TemporaryDatabase) throws -> ManagedObjectContext {
    ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: try database.open()))
  }

  @Test(arguments: [false, true], [2_000, 1])
  func `a new object can have the key of one that the same save deletes`(
    isInsertedFirst: Bool, rowCapacity: Int
  ) throws {
    let database = try TemporaryDatabase(Self.schema)
    let context = ManagedObjectContext(
      coordinator: PersistentStoreCoordinator(store: try database.open()), rowCapacity: rowCapacity)
    let old = try #require(context.fetch(FetchRequest<ManagedObject>(entityName: "t")).first)
    func insert() throws -> ManagedObject {
      let new = try context.insert(entityName: "t")
      try new.setValue(.integer(5), forKey: "id")
      try new.setValue(.string("new"), forKey: "name")
      return new
    }
    let first = isInsertedFirst ? try insert() : nil
    // What is removed between the two makes room in the middle of the unsaved changes.
    let removed = try context.insert(entityName: "t")
    try context.delete(old)
    let new = try first ?? insert()
    try context.delete(removed)
    try context.save()
    #expect(new.objectID.key == .integer(5))
    #expect(new.isAccessible && !new.isDeleted && new["name"] == .string("new"))
    #expect(try context.fetch(FetchRequest<ManagedObject>(entityName: "t")) == [new])
  }

  @Test(arguments: [false, true], [2_000, 1])
  func `the key of a new object is not refreshed, but what a trigger sets is`(
    isPermanent: Bool, rowCapacity: Int
  ) throws {
    let database = try TemporaryDatabase(Self.schema)
    let trigger = """
      CREATE TRIGGER r AFTER INSERT ON t BEGIN UPDATE t SET size = 9 WHERE id = new.id; END
      """
    for triggers in ["", trigger] {
      try database.run(triggers)
      let context = ManagedObjectContext(
        coordinator: PersistentStoreCoordinator(store: try SQLiteStore.open(path: database.path)),
        rowCapacity: rowCapacity)
      var saved: ContextChange?
      let observation = context.observe { if case .didSave(let change) = $0 { saved = change } }
      defer { observation.cancel() }
      let objects = try (0..<3).map { _ in try context.insert(entityName: "t") }
      if isPermanent { try context.obtainPermanentIDs(for: objects) }
      for object in objects { try object.setValue(.string("new"), forKey: "name") }
      try context.save()
      let ids = Set(objects.map(\.objectID))
      #expect(saved?.inserted == ids && saved?.updated == [])
      #expect(saved?.refreshed == (triggers.isEmpty ? [] : ids))
      for id in ids {
        #expect(saved?.changedKeys[id] == (triggers.isEmpty ? nil : ["size"]))
        #expect([context.object(with: id)["id"]] == id.keyValues)
      }
    }
  }
}

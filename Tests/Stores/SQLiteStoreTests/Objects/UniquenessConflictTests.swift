import Foundation
import ManagedObjects
import ObjectModel
import SQLiteStore
import TestStores
import Testing

/// New objects with the unique values of objects in the store.
@Suite struct UniquenessConflictTests {
  private static let model = ManagedObjectModel {
    Entity("Person") {
      Attribute("name", .string, isOptional: false)
      Attribute("age", .integer64)
      Attribute("city", .string)
      Attribute("zip", .string)
      ToOne("boss", "Person", inverse: "staff")
      ToMany("staff", "Person", inverse: "boss")
      ToMany("tags", "Tag", inverse: "people")
      Unique("name")
      Unique("city", "zip")
    }
    Entity("Tag") {
      Attribute("name", .string)
      ToMany("people", "Person", inverse: "tags")
      ToOne("maker", "Person")
    }
  }

  /// A store with Ada, who is 36, lives in London, has the boss Bob and the tag "old".
  private func store(_ kind: TestedStore) throws -> ObjectStore {
    let store = try ObjectStore(kind, Self.model)
    let context = store.context()
    let (ada, bob) = (try context.make("Person", "Ada"), try context.make("Person", "Bob"))
    (ada["age"], ada["city"]) = (36, "London")
    try ada.setObject(bob, forKey: "boss")
    try ada.add(context.make("Tag", "old"), forKey: "tags")
    try context.save()
    return store
  }

  private func picture(_ store: ObjectStore) throws -> [String] {
    let context = store.context()
    let people = try context.fetch(FetchRequest<ManagedObject>(entityName: "Person")).map {
      [
        $0.string("name"), "\($0.integer("age") ?? 0)", $0.string("city"),
        $0.object(forKey: "boss")?.string("name") ?? "-",
        context.names($0, "tags").sorted().joined(separator: "+"),
      ].joined(separator: " ")
    }
    let tags = try context.fetch(FetchRequest<ManagedObject>(entityName: "Tag")).map {
      "\($0.string("name")) by \($0.object(forKey: "maker")?.string("name") ?? "-")"
    }
    return people.sorted() + tags.sorted()
  }

  @Test(arguments: TestedStore.allCases, MergePolicy.allCases)
  func `a new object is merged into the one that has its name`(
    kind: TestedStore, policy: MergePolicy
  ) throws {
    let store = try store(kind)
    let context = store.context()
    context.mergePolicy = policy
    let ada = try context.make("Person", "Ada")
    ada["age"] = 40
    let temporary = ada.objectID
    // What leads to the new object, with and without an inverse, and what it leads to.
    let cyd = try context.make("Person", "Cyd")
    try cyd.setObject(ada, forKey: "boss")
    try ada.setObject(cyd, forKey: "boss")
    let tag = try context.make("Tag", "new")
    try ada.add(tag, forKey: "tags")
    try tag.setObject(ada, forKey: "maker")
    let before = try picture(store)
    guard policy != .error else {
      let error = #expect(throws: ManagedObjectError.self) { try context.save() }
      #expect(error?.storeError?.reason == .constraint)
      #expect(try picture(store) == before && ada.isInserted)
      return
    }
    try context.save()
    #expect(!context.hasChanges && context.conflicts.isEmpty)
    let mine =
      switch policy {
      case .mergeByPropertyObjectTrump: "Ada 40 London Cyd new+old"
      case .overwrite: "Ada 40  Cyd new+old"
      case .mergeByPropertyStoreTrump, .rollback, .error: "Ada 36 London Bob new+old"
      }
    #expect(
      try picture(store) == [mine, "Bob 0  - ", "Cyd 0  Ada ", "new by Ada", "old by -"])
    // The new object is the one in the store.
    let stored = try context.named("Ada", "Person")
    #expect(ada.objectID == stored.objectID && !ada.objectID.isTemporary)
    #expect(ada["age"] == stored["age"] && !ada.isInserted)
    #expect(context.object(with: temporary).objectID == stored.objectID)
    #expect(try context.names("Person", where: "boss == %@", temporary) == ["Cyd"])
    // It goes on living as any other.
    ada["age"] = 41
    try context.save()
    #expect(stored["age"] == 41)
  }

  @Test(arguments: TestedStore.allCases)
  func `an object of the context stays itself, with its unsaved changes`(kind: TestedStore)
    throws
  {
    let store = try store(kind)
    let context = store.context()
    context.mergePolicy = .mergeByPropertyObjectTrump
    let old = try context.named("Ada", "Person")
    old["city"] = "Turin"
    let new = try context.make("Person", "Ada")
    new["age"] = 40
    try context.save()
    #expect(new.objectID == old.objectID)
    #expect(old["age"] == 40 && old["city"] == "Turin")
    #expect(try picture(store)[0] == "Ada 40 Turin Bob old")
    #expect(context.undoHistory.undo() == nil)
  }

  @Test(arguments: TestedStore.allCases)
  func `constraints of two attributes count, and values that were given up do not`(
    kind: TestedStore
  ) throws {
    let store = try store(kind)
    let context = store.context()
    context.mergePolicy = .mergeByPropertyObjectTrump
    let bob = try context.named("Bob", "Person")
    (bob["city"], bob["zip"]) = ("Rome", "1")
    try context.save()
    // Bob moves: whoever moves in is somebody else.
    bob["zip"] = "2"
    let new = try context.make("Person", "Eve")
    (new["city"], new["zip"]) = ("Rome", "1")
    try context.save()
    #expect(new.objectID != bob.objectID)
    let other = try context.make("Person", "Mia")
    (other["city"], other["zip"]) = ("Rome", "2")
    try context.save()
    #expect(other.objectID == bob.objectID && bob["name"] == "Mia")
  }

  @Test func `a merge that fails leaves all changes as they were`() throws {
    let database = try TemporaryDatabase(
      """
      CREATE TABLE room(id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE seat(
        room_id INTEGER NOT NULL REFERENCES room(id), number INTEGER NOT NULL,
        holder TEXT UNIQUE, note TEXT, PRIMARY KEY(room_id, number));
      INSERT INTO room VALUES (1, 'A'), (2, 'B');
      INSERT INTO seat VALUES (1, 1, 'Ada', 'old');
      """)
    let store = try SQLiteStore.open(path: database.path)
    let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    context.mergePolicy = .overwrite
    let old = try #require(
      context.fetch(FetchRequest<ManagedObject>(entityName: "seat")).first)
    let new = try context.insert(entityName: "seat")
    (new["number"], new["holder"], new["note"]) = (7, "Ada", "new")
    // The room is part of the key, which an object that is saved keeps.
    try new.setObject(context.named("B", "room"), forKey: "room")
    #expect(throws: ManagedObjectError.self) { try context.save() }
    #expect(old["note"] == "old" && !old.hasChanges)
    #expect(new.isInserted && new["holder"] == "Ada" && new["note"] == "new")
    #expect(new.object(forKey: "room")?.string("name") == "B")
    context.undoHistory.undo()
    #expect(!context.hasChanges)
  }

  @Test(arguments: [TestedStore.plain, .coreData])
  func `contexts that import the same people at the same time make each of them once`(
    kind: TestedStore
  ) async throws {
    let store = try ObjectStore(kind, Self.model)
    let path = try #require(store.database).path
    let other = PersistentStoreCoordinator(store: try SQLiteStore.open(path: path))
    let coordinators = [store.coordinator, other]
    try await withThrowingTaskGroup(of: Void.self) { group in
      for importer in 0..<4 {
        let coordinator = coordinators[importer % 2]
        group.addTask {
          let context = ManagedObjectContext(coordinator: coordinator)
          context.mergePolicy = .mergeByPropertyObjectTrump
          for number in 0..<20 {
            try context.make("Person", "p\(number)")["age"] = .integer(Int64(importer))
            if number % 3 == importer % 3 { try context.save() }
          }
          try context.save()
        }
      }
      try await group.waitForAll()
    }
    let names = try store.context().names("Person", where: "TRUEPREDICATE")
    #expect(names == (0..<20).map { "p\($0)" }.sorted())
  }
}

import ManagedObjects
import ObjectModel
import SQLiteStore
import TestStores
import TestSupport
import Testing

/// Orders of relationships to which another process adds objects meanwhile.
@Suite struct `Orders in between` {
  private static let model = ManagedObjectModel {
    Entity("List") {
      Attribute("name", .string)
      ToMany("songs", "Song", inverse: "lists", isOrdered: true)
      ToMany("pages", "Page", inverse: "list", isOrdered: true)
    }
    Entity("Song") {
      Attribute("name", .string)
      ToMany("lists", "List", inverse: "songs")
    }
    Entity("Page") {
      Attribute("name", .string)
      ToOne("list", "List", inverse: "pages")
    }
  }

  private struct Case: CustomTestStringConvertible {
    let kind: Kind
    let key: String
    let policy: MergePolicy
    /// Whether the other process saves after this one has merged what others have saved.
    let isLate: Bool

    var testDescription: String { "\(kind), \(key), \(policy), \(isLate ? "late" : "early")" }
  }

  private static let cases = [Kind.plain, .coreData].flatMap { kind in
    ["songs", "pages"].flatMap { key in
      MergePolicy.allCases.filter { $0 != .error }.flatMap { policy in
        [false, true].map { Case(kind: kind, key: key, policy: policy, isLate: $0) }
      }
    }
  }

  /// Lets somebody else act while it is validated.
  private final class Interrupted: ManagedObject {
    var interruption: (() throws -> Void)?

    override func validateForUpdate() throws {
      try interruption?()
      interruption = nil
    }
  }

  // Core Data: NSMutableOrderedSet.moveObjects(at:to:), where another process has added an object
  // since the order was read.
  @Test(arguments: cases)
  private func `an object that was added elsewhere keeps a position of its own`(_ test: Case) throws
  {
    let folder = try TemporaryFolder()
    let store = try test.kind.makeStore(Self.model, in: folder)
    let here = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    here.mergePolicy = test.policy
    let entityName = test.key == "songs" ? "Song" : "Page"
    here.register(Interrupted.self, forEntity: entityName)
    let list = try here.make("Best", "List")
    for name in ["A", "B", "C"] { try list.add(here.make(name, entityName), forKey: test.key) }
    try here.save()
    let there = ManagedObjectContext(
      coordinator: PersistentStoreCoordinator(
        store: try SQLiteStore.open(path: folder.path("store"))))
    let theirs = try there.named("Best", "List")
    func addElsewhere() throws {
      try theirs.add(there.make("D", entityName), forKey: test.key)
      try there.save()
    }
    if !test.isLate { try addElsewhere() }
    try list.add(here.named("A", entityName), forKey: test.key, at: 2)
    let changed = try #require(here.named("B", entityName) as? Interrupted)
    changed["name"] = "b"
    if test.isLate { changed.interruption = addElsewhere }
    try here.save()
    #expect(changed.interruption == nil)
    try here.refreshFromStore()
    let reader = ManagedObjectContext(
      coordinator: PersistentStoreCoordinator(
        store: try SQLiteStore.open(path: folder.path("store"))))
    let names = try reader.named("Best", "List").names(test.key)
    #expect(names.sorted() == ["A", "C", "D", "b"])
    #expect(list.names(test.key) == names)
    try there.refreshFromStore()
    #expect(theirs.names(test.key) == names)
    #expect(try SQLiteStore.open(path: folder.path("store")).check() == [])
  }

  // Core Data: NSManagedObject.isDeleted, an undone deletion, after another process has added an
  // object where the deleted one was.
  @Test(arguments: [Kind.plain, .coreData], [false, true])
  func `an object that comes back has a position of its own`(kind: Kind, isLate: Bool) throws {
    let folder = try TemporaryFolder()
    let here = ManagedObjectContext(
      coordinator: PersistentStoreCoordinator(store: try kind.makeStore(Self.model, in: folder)))
    let list = try here.make("Best", "List")
    for name in ["A", "B", "C"] { try list.add(here.make(name, "Page"), forKey: "pages") }
    try here.save()
    try here.delete(here.named("C", "Page"))
    try here.save()
    let there = ManagedObjectContext(
      coordinator: PersistentStoreCoordinator(
        store: try SQLiteStore.open(path: folder.path("store"))))
    if isLate { here.undoHistory.undo() }
    try there.named("Best", "List").add(there.make("D", "Page"), forKey: "pages")
    try there.save()
    if !isLate { here.undoHistory.undo() }
    try here.save()
    let store = try SQLiteStore.open(path: folder.path("store"))
    #expect(try store.check() == [])
    let reader = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    #expect(try reader.named("Best", "List").names("pages").sorted() == ["A", "B", "C", "D"])
  }
}

import Foundation
import ManagedObjects
import ObjectModel
import TestStores
import Testing

@Suite struct LongValueTests {
  private static func model(_ kind: TestedStore) -> ManagedObjectModel {
    ManagedObjectModel {
      Entity("Person") {
        Attribute("name", .string)
        Attribute("photo", .binaryData)
        // Core Data has no column for an attribute without a type.
        Attribute("anything", kind == .coreData ? .transformable : .undefined)
        Attribute("note", .string)
      }
    }
  }

  private static let photo = Data(
    (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })
  private static let bytes = Value.data(photo)
  private static let others = Value.data(Data(repeating: 7, count: 150_000))
  private static let text = Value.string(String(repeating: "aé漢🙂", count: 20_000))

  /// Alice with long values, saved, and a context that has not read them.
  private func store(_ kind: TestedStore) throws -> (ObjectStore, ManagedObjectContext) {
    let store = try ObjectStore(kind, Self.model(kind))
    let context = store.context()
    let alice = try context.make("Person", "Alice")
    alice["photo"] = Self.bytes
    alice["anything"] = kind == .coreData ? Self.others : Self.text
    alice["note"] = Self.text
    try context.make("Person", "Bob")
    try context.save()
    return (store, store.context())
  }

  /// A person's long values as a fresh context reads them from the store.
  private func stored(_ name: String, in store: ObjectStore) throws -> [Value] {
    let person = try store.context().named(name, "Person")
    return ["photo", "anything", "note"].map { person[$0] }
  }

  @Test(arguments: TestedStore.allCases)
  func `copying a long value from one object to another copies all of it`(kind: TestedStore)
    throws
  {
    let (store, context) = try store(kind)
    let (alice, bob) = (
      try context.named("Alice", "Person"), try context.named("Bob", "Person")
    )
    for key in ["photo", "anything", "note"] { bob[key] = alice[key] }
    #expect(bob["photo"] == Self.bytes)
    try context.save()
    #expect(bob["photo"] == Self.bytes && bob["note"] == Self.text)
    #expect(try stored("Bob", in: store) == stored("Alice", in: store))
    #expect(try stored("Bob", in: store)[0] == Self.bytes)
    #expect(try stored("Bob", in: store)[2] == Self.text)
  }

  @Test(arguments: TestedStore.allCases)
  func `every way to read a value gives all of it, only a list's is truncated`(
    kind: TestedStore
  ) throws {
    let (store, context) = try store(kind)
    defer { withExtendedLifetime(store) {} }
    let alice = try context.named("Alice", "Person")
    #expect(alice.cutLength(forKey: "photo") == 200_000)
    #expect(alice.truncatedValue(forKey: "photo") != Self.bytes)
    #expect(alice["photo"] == Self.bytes && alice.value(forKey: "photo") == Self.bytes)
    #expect(alice.storedValue(forKey: "photo") == Self.bytes)
    #expect(alice.committedValue(forKey: "photo") == Self.bytes)
    #expect(try alice.wholeValue(forKey: "photo") == Self.bytes)
    #expect(Data(attributeValue: alice["photo"]) == Self.photo)
    alice["name"] = "Alicia"
    #expect(alice["photo"] == Self.bytes && alice.changedValues() == ["name": "Alicia"])
    try context.delete(alice)
    #expect(alice["photo"] == Self.bytes)
  }

  @Test(arguments: TestedStore.allCases)
  func `setting the beginning of a long value is a change`(kind: TestedStore) throws {
    let (store, context) = try store(kind)
    let alice = try context.named("Alice", "Person")
    let beginning = alice.truncatedValue(forKey: "photo")
    alice["photo"] = beginning
    #expect(alice["photo"] == beginning && alice.changedKeys == ["photo"])
    try context.save()
    #expect(try stored("Alice", in: store)[0] == beginning)
    context.undoHistory.undo()
    try context.save()
    #expect(try stored("Alice", in: store)[0] == Self.bytes)
  }

  @Test(arguments: TestedStore.allCases)
  func `undo and redo, before and after saving, restore all of it`(kind: TestedStore) throws {
    let (store, context) = try store(kind)
    let alice = try context.named("Alice", "Person")
    alice["photo"] = Self.others
    context.processPendingChanges()
    context.undoHistory.undo()
    #expect(alice["photo"] == Self.bytes && !alice.hasChanges)
    context.undoHistory.redo()
    try context.save()
    context.undoHistory.undo()
    try context.save()
    #expect(try stored("Alice", in: store)[0] == Self.bytes)
    try context.delete(alice)
    try context.save()
    context.undoHistory.undo()
    #expect(alice["photo"] == Self.bytes)
    try context.save()
    #expect(try stored("Alice", in: store)[0] == Self.bytes)
    #expect(try stored("Alice", in: store)[2] == Self.text)
  }

  @Test(arguments: TestedStore.allCases)
  func `discarding, refreshing and merging keep all of it`(kind: TestedStore) throws {
    let (store, context) = try store(kind)
    let alice = try context.named("Alice", "Person")
    (alice["photo"], alice["name"]) = (Self.others, "Alicia")
    context.refresh(alice, mergeChanges: true)
    #expect(alice["photo"] == Self.others && alice["note"] == Self.text)
    context.rollback()
    #expect(alice["photo"] == Self.bytes && !context.hasChanges)

    let other = store.context()
    let theirs = try other.named("Alice", "Person")
    theirs["note"] = "short"
    try other.save()
    alice["photo"] = Self.others
    try context.save()
    #expect(try stored("Alice", in: store)[0] == Self.others)
    #expect(try stored("Alice", in: store)[2] == "short")

    (theirs["name"], alice["name"]) = ("theirs", "mine")
    try other.save()
    #expect(throws: ManagedObjectError.self) { try context.save() }
    try context.resolveConflicts(.keepMine, of: [alice.objectID])
    try context.save()
    #expect(try stored("mine", in: store)[0] == Self.others)
  }

  @Test(arguments: TestedStore.allCases)
  func `an object deleted elsewhere is not restored without its long values`(
    kind: TestedStore
  ) throws {
    let (store, context) = try store(kind)
    let alice = try context.named("Alice", "Person")
    #expect(alice.cutLength(forKey: "photo") != nil)
    alice["name"] = "Alicia"
    let other = store.context()
    try other.delete(other.named("Alice", "Person"))
    try other.save()
    context.processPendingChanges()
    let error = #expect(throws: ManagedObjectError.self) {
      try context.resolveConflicts(.keepMine, of: [alice.objectID])
    }
    #expect(error?.reason == .gone && error?.description.contains("photo") == true)
    #expect(throws: ManagedObjectError.self) { try alice.wholeValue(forKey: "photo") }
    #expect(alice["photo"] == .null && context.mostRecentError is ManagedObjectError)
    try context.resolveConflicts(.takeTheirs, of: [alice.objectID])
    #expect(!alice.isAccessible)
  }
}

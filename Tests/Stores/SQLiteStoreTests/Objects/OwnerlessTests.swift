import ManagedObjects
import ObjectModel
import TestStores
import Testing

@Suite struct ToManyWithoutInverseTests {
  private static func model(isOrdered: Bool) -> ManagedObjectModel {
    ManagedObjectModel(entities: [
      EntityDescription(
        name: "Box", attributes: [AttributeDescription("name", .string)],
        relationships: [
          RelationshipDescription("things", to: "Thing", isToMany: true, isOrdered: isOrdered)
        ]),
      EntityDescription(name: "Thing", attributes: [AttributeDescription("name", .string)]),
    ])
  }

  private func stored(_ store: ObjectStore) throws -> [[String]] {
    let context = store.context()
    return try ["first", "second"].map { try context.names(context.named($0, "Box"), "things") }
  }

  enum Move: CaseIterable, Sendable { case removedFirst, addedFirst, addedOnly }

  @Test(arguments: TestedStore.allCases, Move.allCases)
  func `undoing a move between two owners gives the object back to the first`(
    kind: TestedStore, move: Move
  ) throws {
    for isOrdered in kind == .coreData ? [false] : [false, true] {
      let store = try ObjectStore(kind, Self.model(isOrdered: isOrdered))
      let context = store.context()
      let first = try context.make("Box", "first")
      let second = try context.make("Box", "second")
      let thing = try context.make("Thing", "thing")
      try first.add(context.make("Thing", "other"), forKey: "things")
      try first.add(thing, forKey: "things")
      try context.save()
      let before = try stored(store)
      if move == .removedFirst { try first.remove(thing, forKey: "things") }
      try second.add(thing, forKey: "things")
      if move == .addedFirst { try first.remove(thing, forKey: "things") }
      context.processPendingChanges()
      context.undoHistory.undo()
      #expect(!context.hasChanges && context.names(second, "things").isEmpty)
      context.undoHistory.redo()
      try context.save()
      let after = try stored(store)
      #expect(after[1] == ["thing"])
      #expect([context.names(first, "things"), context.names(second, "things")] == after)
      context.undoHistory.undo()
      #expect([context.names(first, "things"), context.names(second, "things")] == before)
      try context.save()
      #expect(try stored(store) == before)
      context.undoHistory.redo()
      try context.save()
      #expect(try stored(store) == after)
      context.undoHistory.undo()
      try context.save()
      #expect(try stored(store) == before)
    }
  }
}

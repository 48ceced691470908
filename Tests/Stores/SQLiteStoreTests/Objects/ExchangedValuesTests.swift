import Foundation
import ManagedObjects
import ObjectModel
import SQLiteStore
import TestStores
import Testing

/// Objects exchange values that must be unique, in one save.
@Suite struct ExchangedValuesTests {
  private static let model = ManagedObjectModel {
    Entity("Room") {
      Attribute("name", .string, isOptional: false)
      Attribute("number", .integer64)
      Attribute("floor", .integer64, isOptional: false, default: 1)
      ToOne("guest", "Guest", inverse: "room")
      Unique("name")
      Unique("floor", "number")
    }
    Entity("Guest") {
      Attribute("name", .string)
      ToOne("room", "Room", inverse: "guest")
    }
  }

  private func rooms(_ kind: TestedStore, _ count: Int) throws -> (
    ObjectStore, ManagedObjectContext, [ManagedObject]
  ) {
    let store = try ObjectStore(kind, Self.model)
    let context = store.context()
    let rooms = try (0..<count).map { number in
      let room = try context.make("Room", "r\(number)")
      room["number"] = .integer(Int64(number))
      return room
    }
    try context.save()
    return (store, context, rooms)
  }

  private func saved(_ store: ObjectStore) throws -> [String] {
    try store.context().fetch(FetchRequest<ManagedObject>(entityName: "Room")).map {
      "\($0.string("name")) \($0.integer("floor") ?? 0) \($0.integer("number") ?? -1)"
    }
  }

  @Test(arguments: TestedStore.allCases, [2, 3, 7])
  func `values are passed on in a circle`(kind: TestedStore, count: Int) throws {
    let (store, context, rooms) = try rooms(kind, count)
    for (index, room) in rooms.enumerated() {
      let next = (index + 1) % count
      room["name"] = .string("r\(next)")
      room["number"] = .integer(Int64(next))
    }
    try context.save()
    let expected = (0..<count).map { "r\(($0 + 1) % count) 1 \(($0 + 1) % count)" }
    #expect(try saved(store) == expected)
    context.undoHistory.undo()
    try context.save()
    #expect(try saved(store) == (0..<count).map { "r\($0) 1 \($0)" })
  }

  @Test(arguments: TestedStore.allCases)
  func `a new object gets a value that is passed on`(kind: TestedStore) throws {
    let (store, context, rooms) = try rooms(kind, 2)
    rooms[0]["name"] = "r1"
    rooms[1]["name"] = "r2"
    try context.make("Room", "r0")["number"] = 9
    try context.save()
    #expect(try saved(store) == ["r1 1 0", "r2 1 1", "r0 1 9"])
  }

  @Test(arguments: TestedStore.allCases)
  func `what is taken by an object that keeps it is refused, and nothing is written`(
    kind: TestedStore
  ) throws {
    let (store, context, rooms) = try rooms(kind, 3)
    (rooms[0]["name"], rooms[1]["name"]) = ("r1", "r2")
    let error = #expect(throws: ManagedObjectError.self) { try context.save() }
    #expect(error?.storeError?.reason == .constraint)
    #expect(error?.objectIDs.contains(rooms[1].objectID) == true, "\(String(describing: error))")
    #expect(error?.description.contains("name") == true, "\(String(describing: error))")
    #expect(try saved(store) == ["r0 1 0", "r1 1 1", "r2 1 2"])
  }
}

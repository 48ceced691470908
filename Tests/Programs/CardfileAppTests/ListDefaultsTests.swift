import Foundation
import ManagedObjects
import ObjectModel
import Testing

@testable import CardfileApp

/// The columns and the order that a list has until a person chooses others.
@MainActor @Suite struct ListDefaultsTests {
  /// Objects of one entity, each with some values.
  private func defaults(
    _ attributes: [AttributeDescription], _ rows: [[String: Value]], keys: [String] = []
  ) throws -> ListDefaults {
    let entity = EntityDescription(name: "Part", attributes: attributes, keyAttributes: keys)
    let store = InMemoryStore(
      model: ManagedObjectModel(entities: [entity]), identifier: "A0", name: "parts.sqlite")
    let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    for row in rows {
      let object = try context.insert(entityName: "Part")
      for (name, value) in row { object[name] = value }
    }
    try context.save()
    return ListDefaults(entity, store: store)
  }

  private func names(_ defaults: ListDefaults) -> [String] {
    ListColumn.defaults(defaults, hiding: nil).map(\.name)
  }

  @Test func `bytes, UUIDs, copies, constants and columns without values are left out`() throws {
    let defaults = try defaults(
      [
        AttributeDescription("uuid", .string), AttributeDescription("photo", .binaryData),
        AttributeDescription("kind", .string), AttributeDescription("empty", .string),
        AttributeDescription("size", .integer64), AttributeDescription("sortName", .string),
        AttributeDescription("label", .string), AttributeDescription("made", .date),
      ],
      (1...3).map { number in
        [
          "uuid": .string(UUID().uuidString), "photo": .data(Data([UInt8(number)])),
          "kind": "part", "size": .integer(Int64(number)),
          "sortName": .string("écrou \(number)"), "label": .string("Écrou \(number)"),
          "made": .date(Date(timeIntervalSince1970: Double(number) * 86_400)),
        ]
      })
    #expect(defaults.display == "label")
    #expect(names(defaults) == ["label", "made", "size"])
    #expect(defaults.sortDescriptors.first?.keyPath == "label")
    #expect(defaults.sortDescriptors.first?.comparison == .localized(numeric: true))
  }

  @Test func `numbers in texts are in their own order, if any text has one`() throws {
    let attributes = [AttributeDescription("name", .string)]
    for (names, isNumeric) in [(["Ada", "Bob", "Cy"], false), (["Ada", "Bob", "Flat 10"], true)] {
      let found = try defaults(attributes, names.map { ["name": .string($0)] })
      #expect(found.sortDescriptors.first?.comparison == .localized(numeric: isNumeric))
    }
  }

  @Test func `without texts the order is by a date, or else by a number`() throws {
    let attributes = [
      AttributeDescription("size", .integer64), AttributeDescription("made", .date),
      AttributeDescription("name", .string),
    ]
    let dates = try defaults(
      attributes,
      (1...2).map {
        ["size": .integer($0), "made": .date(Date(timeIntervalSince1970: Double($0)))]
      })
    #expect(names(dates) == ["made", "size"])
    #expect(dates.sortDescriptors == [FetchSortDescriptor("made")])
    let numbers = try defaults(attributes, (1...2).map { ["size": .integer($0)] })
    #expect(names(numbers) == ["Part", "size"])
    #expect(numbers.sortDescriptors == [FetchSortDescriptor("size")])
  }

  @Test func `an entity without objects has all its readable columns`() throws {
    let defaults = try defaults(
      [AttributeDescription("name", .string), AttributeDescription("photo", .binaryData)], [])
    #expect(names(defaults) == ["name"])
  }

  @Test func `one object is no evidence for a constant`() throws {
    let defaults = try defaults(
      [AttributeDescription("name", .string), AttributeDescription("size", .integer64)],
      [["name": "bolt", "size": 4]])
    #expect(names(defaults) == ["name", "size"])
  }

  @Test func `texts without digits keep the plain localized order`() throws {
    let defaults = try defaults(
      [AttributeDescription("name", .string)], [["name": "bolt"], ["name": "nut"]])
    #expect(defaults.sortDescriptors == [FetchSortDescriptor("name", comparison: .localized)])
  }

  @Test func `an object without a title is named by what it joins, or by its number`() throws {
    let model = ManagedObjectModel {
      Entity("Song") { Attribute("title", .string) }
      Entity("List") { Attribute("name", .string) }
      Entity("Entry") {
        Attribute("position", .integer64)
        ToOne("song", "Song")
        ToOne("list", "List")
      }
    }
    let store = InMemoryStore(model: model, identifier: "A0", name: "songs.sqlite")
    let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    let song = try context.insert(entityName: "Song")
    song["title"] = "Blue"
    let list = try context.insert(entityName: "List")
    list["name"] = "Evening"
    let entry = try context.insert(entityName: "Entry")
    try entry.setObject(song, forKey: "song")
    try entry.setObject(list, forKey: "list")
    let lonely = try context.insert(entityName: "Entry")
    try context.save()
    #expect(context.displayName(of: entry.objectID) == "Blue · Evening")
    #expect(context.displayName(of: lonely.objectID) == "Entry 2")
    song["title"] = .string(UUID().uuidString)
    #expect(context.displayName(of: song.objectID) == "Song 1")
  }
}

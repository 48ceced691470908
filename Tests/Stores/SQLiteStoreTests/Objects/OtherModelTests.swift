import ManagedObjects
import ObjectModel
import SQLiteStore
import TestStores
import Testing

@Suite struct OtherModelTests {
  private static func model(
    _ attributes: [AttributeDescription] = [], relationships: [RelationshipDescription] = [],
    entities: [EntityDescription] = []
  ) -> ManagedObjectModel {
    ManagedObjectModel(
      entities: [
        EntityDescription(
          name: "Person",
          attributes: [AttributeDescription("name", .string, isOptional: false)] + attributes,
          relationships: [
            RelationshipDescription("pets", to: "Pet", inverse: "owner", isToMany: true)
          ] + relationships),
        EntityDescription(
          name: "Pet", attributes: [AttributeDescription("name", .string)],
          relationships: [RelationshipDescription("owner", to: "Person", inverse: "pets")]),
      ] + entities)
  }

  private static let others: [(ManagedObjectModel, String)] = [
    (model([AttributeDescription("age", .integer64)]), "Person.age is missing"),
    (
      model(relationships: [RelationshipDescription("friend", to: "Person")]),
      "Person.friend is missing"
    ),
    (
      model(entities: [EntityDescription(name: "Toy", attributes: [])]), "Toy is missing"
    ),
    (
      ManagedObjectModel(entities: [
        EntityDescription(name: "Person", attributes: [AttributeDescription("name", .integer64)])
      ]), "Person.name is"
    ),
  ]

  @Test(arguments: [TestedStore.plain, .coreData], 0..<4)
  func `a store is not opened with another model, and what differs is named`(
    kind: TestedStore, index: Int
  ) throws {
    let (other, difference) = Self.others[index]
    let store = try ObjectStore(kind, Self.model())
    let database = try #require(store.database)
    let error = #expect(throws: StoreError.self) {
      try database.open(SQLiteStore.Options(expectedModel: other))
    }
    #expect(error?.description.contains(difference) == true, "\(error?.description ?? "")")
  }

  @Test(arguments: [TestedStore.plain, .coreData])
  func `a store is opened with its own model, whose defaults and rules may differ`(
    kind: TestedStore
  ) throws {
    let store = try ObjectStore(kind, Self.model())
    let database = try #require(store.database)
    _ = try database.open(SQLiteStore.Options(expectedModel: Self.model()))
    let same = ManagedObjectModel(
      entities: Self.model().entities.reversed().map { entity in
        EntityDescription(
          name: entity.name,
          attributes: entity.attributes.map {
            var attribute = $0
            attribute.defaultValue = "x"
            return attribute
          },
          relationships: entity.relationships.map {
            var relationship = $0
            relationship.deleteRule = .cascade
            return relationship
          })
      })
    _ = try database.open(SQLiteStore.Options(expectedModel: same))
  }
}

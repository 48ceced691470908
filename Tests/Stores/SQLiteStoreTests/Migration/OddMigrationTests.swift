import ManagedObjects
import ObjectModel
import SQLiteStore
import TestStores
import TestSupport
import Testing

/// Changes of models in which names mislead: swapped ones, those of something removed, columns that
/// two entities share.
struct OddMigrationTests {
  private static func text(_ name: String, was former: String? = nil) -> AttributeDescription {
    AttributeDescription(
      name, .string,
      details: AttributeDetails(property: PropertyDetails(renamingIdentifier: former)))
  }

  private static func toOne(
    _ name: String, inverse: String, was former: String? = nil, isToMany: Bool = false
  ) -> RelationshipDescription {
    RelationshipDescription(
      name, to: "A", inverse: inverse, isToMany: isToMany,
      details: RelationshipDetails(property: PropertyDetails(renamingIdentifier: former)))
  }

  private static func entity(
    _ name: String, _ attributes: [AttributeDescription],
    _ relationships: [RelationshipDescription] = [], parent: String? = nil,
    was former: String? = nil
  ) -> EntityDescription {
    EntityDescription(
      name: name, superentityName: parent, attributes: attributes, relationships: relationships,
      details: EntityDetails(renamingIdentifier: former))
  }

  /// Objects as `Entity key=text relationship→text of name`, sorted.
  private static func lines(_ context: ManagedObjectContext) throws -> [String] {
    try context.model.entities.flatMap { entity -> [String] in
      var request = FetchRequest<ManagedObject>(entityName: entity.name)
      request.includesSubentities = false
      return try context.fetch(request).map { object in
        let attributes = entity.attributes.compactMap { attribute -> String? in
          let value = object[attribute.name]
          return value.isNull ? nil : " \(attribute.name)=\(value)"
        }
        let links = entity.relationships.flatMap { relationship in
          object.objects(forKey: relationship.name).map {
            " \(relationship.name)→\($0["name"])"
          }.sorted()
        }
        return entity.name + (attributes + links).sorted().joined()
      }
    }.sorted()
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let before: [EntityDescription]
    /// Objects with their texts; `key→text` leads to one whose name is the text.
    let objects: [(String, [String: String])]
    let after: [EntityDescription]
    let lines: [String]
  }

  static let cases: [Case] = [
    Case(
      testDescription: "two attributes swap their names",
      before: [entity("A", [text("name"), text("nick")])],
      objects: [("A", ["name": "1", "nick": "2"])],
      after: [entity("A", [text("nick", was: "name"), text("name", was: "nick")])],
      lines: ["A name=2 nick=1"]),
    Case(
      testDescription: "two entities swap their names",
      before: [entity("A", [text("name")]), entity("B", [text("name")])],
      objects: [("A", ["name": "a"]), ("B", ["name": "b"])],
      after: [entity("B", [text("name")], was: "A"), entity("A", [text("name")], was: "B")],
      lines: ["A name=b", "B name=a"]),
    Case(
      testDescription: "an entity takes the name of one that is removed",
      before: [entity("A", [text("name")]), entity("B", [text("name")])],
      objects: [("A", ["name": "a"]), ("B", ["name": "b"])],
      after: [entity("A", [text("name")], was: "B")], lines: ["A name=b"]),
    Case(
      testDescription: "two relationships and their inverses swap their names",
      before: [
        entity(
          "A", [text("name")],
          [
            toOne("x", inverse: "xs"), toOne("xs", inverse: "x", isToMany: true),
            toOne("y", inverse: "ys"), toOne("ys", inverse: "y", isToMany: true),
          ])
      ],
      objects: [
        ("A", ["name": "1"]), ("A", ["name": "2", "x→": "1"]),
        ("A", ["name": "3", "x→": "2", "y→": "1"]),
      ],
      after: [
        entity(
          "A", [text("name")],
          [
            toOne("y", inverse: "ys", was: "x"),
            toOne("ys", inverse: "y", was: "xs", isToMany: true),
            toOne("x", inverse: "xs", was: "y"),
            toOne("xs", inverse: "x", was: "ys", isToMany: true),
          ])
      ], lines: ["A name=1 xs→3 ys→2", "A name=2 ys→3 y→1", "A name=3 x→1 y→2"]),
    Case(
      testDescription: "a to-one that is its own inverse becomes a to-many that is",
      before: [entity("A", [text("name")], [toOne("spouse", inverse: "spouse")])],
      objects: [("A", ["name": "1"]), ("A", ["name": "2", "spouse→": "1"]), ("A", ["name": "3"])],
      after: [
        entity(
          "A", [text("name")],
          [toOne("partners", inverse: "partners", was: "spouse", isToMany: true)])
      ], lines: ["A name=1 partners→2", "A name=2 partners→1", "A name=3"]),
    Case(
      testDescription: "siblings have a property of one name, and one of them renames it",
      before: [
        entity("A", [text("name")]), entity("B", [text("name"), text("v")], parent: "A"),
        entity("C", [text("name"), AttributeDescription("v", .date)], parent: "A"),
      ],
      objects: [("B", ["name": "b", "v": "text"]), ("C", ["name": "c"])],
      after: [
        entity("A", [text("name")]), entity("B", [text("name"), text("w", was: "v")], parent: "A"),
        entity("C", [text("name"), AttributeDescription("v", .date)], parent: "A"),
      ], lines: ["B name=b w=text", "C name=c"]),
    Case(
      testDescription: "an entity leaves its hierarchy with what it had from there",
      before: [entity("A", [text("name")]), entity("B", [text("name"), text("v")], parent: "A")],
      objects: [("A", ["name": "a"]), ("B", ["name": "b", "v": "x"])],
      after: [entity("A", [text("name")]), entity("B", [text("v"), text("name")])],
      lines: ["A name=a", "B name=b v=x"]),
    Case(
      testDescription: "what was a property of two subentities becomes one of their superentity",
      before: [
        entity("A", [text("name")]), entity("B", [text("name"), text("v")], parent: "A"),
        entity("C", [text("name"), text("v")], parent: "A"),
      ],
      objects: [("B", ["name": "b", "v": "1"]), ("C", ["name": "c", "v": "2"])],
      after: [
        entity("A", [text("name"), text("v")]),
        entity("B", [text("name"), text("v")], parent: "A"),
        entity("C", [text("name"), text("v")], parent: "A"),
      ], lines: ["B name=b v=1", "C name=c v=2"]),
    Case(
      testDescription: "only the capitals of names change",
      before: [entity("Abc", [text("name"), text("xy")])],
      objects: [("Abc", ["name": "1", "xy": "2"])],
      after: [entity("ABC", [text("name"), text("XY", was: "xy")], was: "Abc")],
      lines: ["ABC XY=2 name=1"]),
  ]

  @Test(arguments: cases, [TestedStore.plain, .coreData])
  func `every object keeps what is its own`(odd: Case, kind: TestedStore) throws {
    let database = try TemporaryDatabase()
    let model = ManagedObjectModel(entities: odd.before)
    do {
      let context = ManagedObjectContext(
        coordinator: PersistentStoreCoordinator(
          store: try kind.makeStore(model, at: database.path)))
      var named: [String: ManagedObject] = [:]
      for (entity, texts) in odd.objects {
        let object = try context.insert(entityName: entity)
        named[texts["name"] ?? ""] = object
        for (key, text) in texts where !key.hasSuffix("→") {
          try object.setValue(.string(text), forKey: key)
        }
      }
      for (_, texts) in odd.objects {
        for (key, text) in texts where key.hasSuffix("→") {
          try named[texts["name"] ?? ""]?.setObject(named[text], forKey: String(key.dropLast()))
        }
      }
      try context.save()
    }
    let store = try database.open(.init(makesBackup: false))
    let after = ManagedObjectModel(entities: odd.after)
    let migration = try store.migration(to: after)
    #expect(migration.refusals == [])
    try store.migrate(migration)
    let migrated = try database.open()
    let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: migrated))
    #expect(try Self.lines(context) == odd.lines)
    #expect(try migrated.check().filter { $0.severity == .error }.map(\.message) == [])
  }
}

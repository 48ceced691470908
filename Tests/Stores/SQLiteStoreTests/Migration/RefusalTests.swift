import GRDB
import ObjectModel
import TestSupport
import Testing

@testable import SQLiteStore

/// Every reason for which a migration is refused, in both layouts, and that nothing is touched then.
struct RefusalTests {
  /// A change that is refused.
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let before: [EntityDescription]
    let after: [EntityDescription]
    let refusals: [String]
    /// The rows that make it refused, in Core Data's tables and in plain ones; empty if the models do,
    /// nil if it is not refused there.
    var rows: (coreData: String?, plain: String?) = ("", "")
    var mapping: [EntityMapping]?

    var testDescription: String { name }
  }

  private typealias Relationship = RelationshipDescription

  private static func entity(
    _ name: String, _ attributes: [AttributeDescription] = [text("name")],
    _ relationships: [RelationshipDescription] = [], parent: String? = nil,
    isAbstract: Bool = false, was former: String? = nil, unique: [[String]] = []
  ) -> EntityDescription {
    EntityDescription(
      name: name, superentityName: parent, isAbstract: isAbstract, attributes: attributes,
      relationships: relationships, uniquenessConstraints: unique,
      details: EntityDetails(renamingIdentifier: former))
  }

  private static func text(_ name: String, was former: String? = nil, isOptional: Bool = true)
    -> AttributeDescription
  {
    AttributeDescription(
      name, .string, isOptional: isOptional,
      details: AttributeDetails(property: PropertyDetails(renamingIdentifier: former)))
  }

  private static func toB(_ name: String, was former: String? = nil) -> RelationshipDescription {
    RelationshipDescription(
      name, to: "B",
      details: RelationshipDetails(property: PropertyDetails(renamingIdentifier: former)))
  }

  /// What the models say.
  static let byModel: [Case] = [
    Case(
      name: "a required attribute is added", before: [entity("A")],
      after: [entity("A", [text("name"), text("new", isOptional: false)])],
      refusals: ["A.new is required and has no default"]),
    Case(
      name: "an attribute becomes required", before: [entity("A")],
      after: [entity("A", [text("name", isOptional: false)])],
      refusals: ["A.name is required and has no default"]),
    Case(
      name: "a type loses values", before: [entity("A")],
      after: [entity("A", [AttributeDescription("name", .integer64)])],
      refusals: ["A.name cannot become integer64 without losing values of string"]),
    Case(
      name: "two attributes were one", before: [entity("A")],
      after: [entity("A", [text("first", was: "name"), text("second", was: "name")])],
      refusals: ["A.second and first are both renamed from name"]),
    Case(
      name: "two relationships were one",
      before: [entity("A", [text("name")], [toB("b")]), entity("B")],
      after: [
        entity("A", [text("name")], [toB("first", was: "b"), toB("second", was: "b")]), entity("B"),
      ], refusals: ["A.second and first are both renamed from b"]),
    Case(
      name: "two entities were one", before: [entity("A")],
      after: [entity("B", was: "A"), entity("C", was: "A")],
      refusals: ["B and C are both renamed from A"]),
    Case(
      name: "an entity becomes abstract", before: [entity("A")],
      after: [entity("A", isAbstract: true)],
      refusals: ["A becomes abstract, and its objects would have no entity"]),
    Case(
      name: "entities get a common superentity", before: [entity("A"), entity("B")],
      after: [
        entity("R", isAbstract: true), entity("A", parent: "R"), entity("B", parent: "R"),
      ], refusals: ["A and B have no superentity in common, and cannot get R as one"]),
    Case(
      name: "an entity moves to another hierarchy",
      before: [entity("A"), entity("B", parent: "A"), entity("C")],
      after: [entity("A"), entity("C"), entity("B", parent: "C")],
      refusals: ["C and A have no superentity in common, and cannot get C as one"]),
    Case(
      name: "a required relationship is added", before: [entity("A"), entity("B")],
      after: [
        entity("A", [text("name")], [Relationship("b", to: "B", isOptional: false)]), entity("B"),
      ], refusals: ["A.b is required, and no object has one"]),
    Case(
      name: "a to-many relationship becomes to-one",
      before: [
        entity("A", [text("name")], [Relationship("b", to: "B", isToMany: true)]), entity("B"),
      ],
      after: [entity("A", [text("name")], [toB("b")]), entity("B")],
      refusals: ["A.b may have several objects, and could keep one"]),
    Case(
      name: "a relationship leads to fewer entities",
      before: [
        entity("A", [text("name")], [toB("b")]), entity("B"), entity("C", parent: "B"),
      ],
      after: [
        entity("A", [text("name")], [Relationship("b", to: "C")]), entity("B"),
        entity("C", parent: "B"),
      ], refusals: ["A.b may lead to B, which C does not include"]),
  ]

  /// What the objects say.
  static let byObjects: [Case] = [
    Case(
      name: "values that are to be unique are not", before: [entity("A")],
      after: [entity("A", unique: [["name"]])],
      refusals: ["A.name must be unique, and 1 value is not"],
      rows: (
        "INSERT INTO ZA (Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 'x'), (1, 1, 'x')",
        "INSERT INTO A (name) VALUES ('x'), ('x')"
      )),
    Case(
      name: "an inverse that comes leads to several objects",
      before: [entity("A", [text("name")], [toB("b")]), entity("B")],
      after: [
        entity("A", [text("name")], [Relationship("b", to: "B", inverse: "a")]),
        entity("B", [text("name")], [Relationship("a", to: "A", inverse: "b")]),
      ], refusals: ["B.a could keep one object, and 1 have several"],
      rows: (
        """
        INSERT INTO ZB (Z_PK, Z_ENT, Z_OPT) VALUES (1, 2, 1);
        INSERT INTO ZA (Z_ENT, Z_OPT, ZB) VALUES (1, 1, 1), (1, 1, 1)
        """, "INSERT INTO B (id) VALUES (1); INSERT INTO A (b) VALUES (1), (1)"
      )),
    Case(
      name: "a foreign key without a relationship would lead to several objects",
      before: [entity("A", [text("name")], [toB("b")]), entity("B")],
      after: [
        entity(
          "A", [text("name")],
          [
            Relationship(
              "bs", to: "B", isToMany: true,
              details: RelationshipDetails(property: PropertyDetails(renamingIdentifier: "b")))
          ]), entity("B"),
      ], refusals: ["the inverse of A.bs could keep one object, and 1 have several"],
      rows: (
        """
        INSERT INTO ZB (Z_PK, Z_ENT, Z_OPT) VALUES (1, 2, 1);
        INSERT INTO ZA (Z_ENT, Z_OPT, ZB) VALUES (1, 1, 1), (1, 1, 1)
        """, nil
      )),
    Case(
      name: "rows of no entity", before: [entity("A"), entity("B", parent: "A")],
      after: [
        entity("A", [text("name"), text("more")]),
        entity("B", [text("name"), text("more")], parent: "A"),
      ],
      refusals: ["1 rows of ZA are of no entity of its model"],
      rows: ("INSERT INTO ZA (Z_ENT, Z_OPT) VALUES (77, 1)", nil)),
  ]

  /// What a mapping says.
  static let byMapping: [Case] = [
    (
      "two of one name", [EntityMapping("A", to: "A"), EntityMapping("A", to: "A")],
      "two mappings are named AToA"
    ),
    (
      "no policy", [EntityMapping("A", to: "A", policyName: "Nobody")],
      "the mapping AToA needs the policy Nobody, which is not registered: "
        + "a program registers it as a closure of that name"
    ),
    (
      "no source", [EntityMapping("X", to: "A")],
      "XToA is for X, which the store's model does not have"
    ),
    (
      "no destination", [EntityMapping("A", to: "X")],
      "AToX makes X, which the new model does not have"
    ),
    ("an abstract one", [EntityMapping("A", to: "R")], "AToR makes R, which is abstract"),
    (
      "no attribute", [EntityMapping("A", to: "A", attributes: [.init("b", copying: "name")])],
      "AToA sets A.b, which is no attribute"
    ),
    (
      "no relationship",
      [EntityMapping("A", to: "A", relationships: [.init("name", following: "b")])],
      "AToA sets A.name, which is no relationship"
    ),
    (
      "no function",
      [EntityMapping("A", to: "A", attributes: [.init("name", .function("conjure:", []))])],
      "A.name calls conjure:, which is not known"
    ),
  ].map { name, mapping, refusal in
    let entities = [
      entity("A", [text("name")], [toB("b")]), entity("B"), entity("R", isAbstract: true),
    ]
    return Case(
      name: "a mapping with \(name)", before: entities, after: entities, refusals: [refusal],
      mapping: mapping)
  }

  @Test(arguments: byModel + byObjects + byMapping, [false, true])
  func `it is refused with its reason, and the file stays as it was`(
    refused: Case, isPlain: Bool
  ) throws {
    guard let rows = isPlain ? refused.rows.plain : refused.rows.coreData else { return }
    let database = try TemporaryDatabase()
    _ = try SQLiteStore.create(
      path: database.path, model: ManagedObjectModel(entities: refused.before),
      layout: isPlain ? .plain : .coreData(CoreDataCreation()))
    if !rows.isEmpty { try database.run(rows) }
    let store = try database.open(.init(makesBackup: false))
    let before = try dump(database)
    let migration = try store.migration(
      to: ManagedObjectModel(entities: refused.after),
      mapping: refused.mapping.map { MappingModel($0) })
    #expect(migration.refusals == refused.refusals)
    let error = #expect(throws: StoreError.self) { try store.migrate(migration) }
    #expect(error?.reason == .unsupported)
    #expect(error?.detail.hasSuffix(refused.refusals.joined(separator: "; ")) == true)
    #expect(try dump(database) == before)
  }

  @Test func `a database without a model is not migrated: its tables are the model`() throws {
    let database = try TemporaryDatabase()
    try database.run("CREATE TABLE A(id INTEGER PRIMARY KEY, name TEXT)")
    let migration = try database.open().migration(
      to: ManagedObjectModel(entities: [Self.entity("A"), Self.entity("B")]))
    #expect(
      migration.refusals == [
        "the database has no model: its tables are the model, and change with ALTER TABLE"
      ])
  }

  @Test func `a Core Data store without a model, or that is mirrored to iCloud, is not migrated`()
    throws
  {
    let model = ManagedObjectModel(entities: [Self.entity("A")])
    let after = ManagedObjectModel(entities: [
      Self.entity("A", [Self.text("name"), Self.text("b")])
    ])
    func refusals(_ sql: String) throws -> [String] {
      let database = try TemporaryDatabase()
      _ = try SQLiteStore.create(
        path: database.path, model: model, layout: .coreData(CoreDataCreation()))
      try database.run(sql)
      return try database.open(.init(makesBackup: false)).migration(to: after).refusals
    }
    #expect(
      try refusals("DROP TABLE Z_MODELCACHE")
        == ["the store has no model, and no model file beside it fits"])
    #expect(
      try refusals("CREATE TABLE ANSCKRECORDMETADATA (Z_PK INTEGER PRIMARY KEY)")
        == [
          "it is mirrored to iCloud, whose records have the fields of the old model: "
            + "only the app can migrate both"
        ])
  }

  private func dump(_ database: TemporaryDatabase) throws -> [String] {
    try database.connect().read { database in
      let tables = try String.fetchAll(
        database, sql: "SELECT name || sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name")
      let names = try String.fetchAll(
        database, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
      return try tables
        + names.flatMap { name in
          try Row.fetchAll(database, sql: "SELECT * FROM \"\(name)\"").map { "\($0)" }
        }
    }
  }
}

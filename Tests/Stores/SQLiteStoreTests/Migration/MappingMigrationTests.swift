import Foundation
import ManagedObjects
import ObjectModel
import SQLiteStore
import TestStores
import TestSupport
import Testing

/// Migrations by a mapping model: what can be done that cannot be inferred.
struct MappingMigrationTests {
  private let database: TemporaryDatabase

  init() throws { database = try TemporaryDatabase() }

  static let kinds = [TestedStore.plain, .coreData]

  /// Posts with a text, by people.
  private static let before = ManagedObjectModel {
    Entity("Person") {
      Attribute("name", .string)
      ToMany("posts", "Post", inverse: "author")
    }
    Entity("Post") {
      Attribute("title", .string)
      Attribute("content", .string)
      Attribute("rank", .string)
      ToOne("author", "Person", inverse: "posts")
    }
  }

  /// The text is in sections, which every post must have.
  private static let after = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Contact", attributes: [AttributeDescription("first", .string)],
      relationships: [
        RelationshipDescription("texts", to: "Post", inverse: "author", isToMany: true)
      ]
    ),
    EntityDescription(
      name: "Post",
      attributes: [
        AttributeDescription("title", .string), AttributeDescription("rank", .integer32),
      ],
      relationships: [
        RelationshipDescription("author", to: "Contact", inverse: "texts"),
        RelationshipDescription(
          "sections", to: "Section", inverse: "post", isToMany: true, isOrdered: true,
          isOptional: false),
      ]),
    EntityDescription(
      name: "Section", attributes: [AttributeDescription("body", .string, isOptional: false)],
      relationships: [RelationshipDescription("post", to: "Post", inverse: "sections")]),
  ])

  private func make(_ kind: TestedStore, posts: [String?] = ["one\ntwo", "three"]) throws {
    let store = try kind.makeStore(Self.before, at: database.path)
    let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    let ada = try context.insert(entityName: "Person")
    try ada.setValue("Ada Lovelace", forKey: "name")
    for (index, content) in posts.enumerated() {
      let post = try context.insert(entityName: "Post")
      try post.setValue(.string("Post \(index)"), forKey: "title")
      try post.setValue(content.map(Value.string) ?? .null, forKey: "content")
      try post.setValue(.string("\(index)"), forKey: "rank")
      try post.setObject(ada, forKey: "author")
    }
    try context.save()
  }

  /// The mapping: a closure for values, one for relationships, and a policy for sections.
  private static func mapping(policy: String?) -> MappingModel {
    var person = EntityMapping(
      "Person", to: "Contact",
      relationships: [PropertyMapping("texts", following: "posts")])
    person.values = { person in
      ["first": .string(String("\(person["name"])".prefix { $0 != " " }))]
    }
    return MappingModel([
      person,
      EntityMapping(
        "Post", to: "Post",
        attributes: [
          PropertyMapping("title", copying: "title"),
          PropertyMapping("rank") { .integer(Int64("\($0["rank"])") ?? 0) },
        ],
        relationships: [
          PropertyMapping("author") { source, manager in
            manager.destinationInstances(of: source.objects("author"), mapping: "PersonToContact")
          }
        ], policyName: policy),
    ])
  }

  private static func registerSections(as name: String) {
    EntityMigrationPolicy.register(
      EntityMigrationPolicy { source, mapping, manager in
        guard let post = try manager.makeInstances(of: source, in: mapping) else { return }
        let lines = "\(source["content"])".split(separator: "\n")
        let sections = try lines.map { line in
          let section = try manager.makeInstance(ofEntity: "Section")
          try section.setValue(.string(String(line)), forKey: "body")
          return section
        }
        try post.setObjects(sections, forKey: "sections")
      }, as: name)
  }

  private func open() throws -> ManagedObjectContext {
    ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: try database.open()))
  }

  @Test(arguments: kinds)
  func `an entity is mapped, split and linked by closures`(kind: TestedStore) throws {
    let name = "Tests.Sections\(kind)"
    Self.registerSections(as: name)
    try make(kind)
    let store = try database.open(.init(makesBackup: false))
    #expect(!(try store.migration(to: Self.after).refusals.isEmpty))
    let migration = try store.migration(to: Self.after, mapping: Self.mapping(policy: name))
    #expect(migration.refusals.isEmpty)
    #expect(migration.losses.isEmpty)
    #expect(
      migration.notes.contains("Objects of Person become objects of Contact: their URIs change."))
    let posts = try store.fetch(FetchPlan(entityName: "Post"), control: nil).ids
    try store.migrate(migration)

    let context = try open()
    let found = try context.fetch(FetchRequest<ManagedObject>(entityName: "Post"))
    #expect(found.map(\.objectID) == Array(posts))
    #expect(found.map { $0["title"] } == ["Post 0", "Post 1"])
    #expect(found.map { $0["rank"] } == [0, 1])
    #expect(
      found.map { $0.objects(forKey: "sections").map { $0["body"] } } == [
        ["one", "two"], ["three"],
      ])
    #expect(found.map { $0.objects(forKey: "author").map { $0["first"] } } == [["Ada"], ["Ada"]])
    let check = try database.open().check().filter { $0.severity == .error }
    #expect(check.isEmpty, "\(check.map(\.message))")
    // Keys go on.
    let new = try context.insert(entityName: "Post")
    let section = try context.insert(entityName: "Section")
    try section.setValue("new", forKey: "body")
    try new.add(section, forKey: "sections")
    try context.save()
    #expect(new.objectID.key == .integer(3))
  }

  @Test(arguments: kinds)
  func `what a policy leaves empty and must be there is counted, and nothing is migrated`(
    kind: TestedStore
  ) throws {
    try make(kind)
    let store = try database.open(.init(makesBackup: false))
    let migration = try store.migration(to: Self.after, mapping: Self.mapping(policy: nil))
    let error = #expect(throws: StoreError.self) { try store.migrate(migration) }
    #expect(error?.detail == "2 objects have no Post.sections, which is required")
    #expect(try database.open().model.differences(from: Self.before).isEmpty)
  }

  @Test func `a policy that is not registered is named`() throws {
    try make(.coreData)
    let store = try database.open(.init(makesBackup: false))
    let migration = try store.migration(to: Self.after, mapping: Self.mapping(policy: "App.Nobody"))
    let refusal =
      "the mapping PostToPost needs the policy App.Nobody, which is not registered: "
      + "a program registers it as a closure of that name"
    #expect(migration.refusals == [refusal])
    #expect(throws: StoreError.self) { try store.migrate(migration) }
    #expect(try database.open().model.differences(from: Self.before).isEmpty)
  }

  @Test(arguments: kinds)
  func `two entities become one, and the second gets new keys`(kind: TestedStore) throws {
    try make(kind)
    let model = ManagedObjectModel { Entity("Thing") { Attribute("text", .string) } }
    let store = try database.open(.init(makesBackup: false))
    let mapping = MappingModel([
      EntityMapping(
        "Post", to: "Thing", attributes: [PropertyMapping("text", copying: "title")]),
      EntityMapping(
        "Person", to: "Thing", attributes: [PropertyMapping("text", copying: "name")]),
    ])
    let migration = try store.migration(to: model, mapping: mapping)
    #expect(
      migration.notes.contains(
        "Objects of Thing that PersonToThing makes get new keys: their URIs change."))
    #expect(
      migration.losses.map(\.phrase).sorted() == [
        "2 values of Post.content", "2 values of Post.rank",
      ])
    try store.migrate(migration)
    let context = try open()
    let things = try context.fetch(FetchRequest<ManagedObject>(entityName: "Thing"))
    #expect(things.map { $0["text"] } == ["Post 0", "Post 1", "Ada Lovelace"])
    #expect(things.map(\.objectID.key) == [.integer(1), .integer(2), .integer(3)])
  }

  @Test(arguments: kinds)
  func `objects without a mapping are removed, and counted`(kind: TestedStore) throws {
    try make(kind)
    let store = try database.open(.init(makesBackup: false))
    var mapping = MappingModel(inferredFrom: Self.before, to: Self.before)
    mapping["PostToPost"]?.sourcePredicate = try FetchPredicate(format: "rank == '1'")
    mapping["PersonToPerson"] = nil
    let migration = try store.migration(to: Self.before, mapping: mapping)
    #expect(migration.losses.map(\.phrase).contains("1 object of Person"))
    try store.migrate(migration)
    let context = try open()
    #expect(
      try context.fetch(FetchRequest<ManagedObject>(entityName: "Post")).map { $0["title"] }
        == ["Post 1"])
    #expect(try context.fetch(FetchRequest<ManagedObject>(entityName: "Person")).isEmpty)
  }

  @Test(arguments: kinds)
  func `an error of a closure and a cancellation leave the store as it was`(kind: TestedStore)
    throws
  {
    struct Stop: Error {}
    try make(kind)
    let store = try database.open(.init(makesBackup: false))
    var mapping = MappingModel(inferredFrom: Self.before, to: Self.before)
    mapping["PostToPost"]?.values = { _ in throw Stop() }
    let failing = try store.migration(to: Self.before, mapping: mapping)
    #expect(throws: StoreError.self) { try store.migrate(failing) }
    let control = FetchControl()
    mapping["PostToPost"]?.values = { _ in
      control.cancel()
      return [:]
    }
    let cancelled = try store.migration(to: Self.before, mapping: mapping)
    let error = #expect(throws: StoreError.self) {
      try FetchControl.$current.withValue(control) { try store.migrate(cancelled) }
    }
    #expect(error?.reason == .cancelled)
    let context = try open()
    #expect(
      try context.fetch(FetchRequest<ManagedObject>(entityName: "Post")).map { $0["title"] }
        == ["Post 0", "Post 1"])
  }
}

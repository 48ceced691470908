import Foundation
import ManagedObjects
import ModelFiles
import ObjectModel
import PersistentContainers
import SQLiteStore
import TestSupport
import Testing

/// Mapping models in stages, and what containers do with stores of every type.
struct MappingModelTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  // MARK: Xcode's mapping models

  private func copy(_ store: String) throws -> String {
    let path = folder.path("store.sqlite")
    try FileManager.default.copyItem(
      atPath: RealStores.file("migration/" + store).path, toPath: path)
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    return path
  }

  private func model(_ path: String, _ version: String) throws -> ManagedObjectModel {
    try ModelFile.read(path: RealStores.file("migration/" + path).path, version: version).model
  }

  /// Every post gets a section with its text, as its app's policy does.
  @Test(.needsRealStores, arguments: [1, 2])
  func `a real store is migrated in stages by a mapping model of Xcode's and its policy`(
    version: Int
  ) throws {
    let path = try copy("wibosco/CoreDataMigration_Example_\(version).sqlite")
    let name = "CoreDataMigration_Example"
    let models = try (1...4).map { number in
      try model("wibosco/\(name).xcdatamodeld", number == 1 ? name : "\(name) \(number)")
    }
    let mapping = try MappingModel(
      path: RealStores.file("migration/wibosco/Migration2to3ModelMapping.xcmappingmodel").path,
      from: models[1], to: models[2])
    EntityMigrationPolicy.register(
      EntityMigrationPolicy { source, mapping, manager in
        guard let post = try manager.makeInstances(of: source, in: mapping) else { return }
        let section = try manager.makeInstance(ofEntity: "Section")
        try section.setValue(source["content"], forKey: "body")
        try post.setObjects([section], forKey: "sections")
      }, as: "Post2ToPost3MigrationPolicy")
    let plan = MigrationPlan([
      .init("1", models[0]), .init("2", models[1]), .init("3", models[2], mapping: mapping),
      .init("4", models[3]),
    ])
    let before = try SQLiteStore.open(path: path)
    let content = try before.fetch(FetchPlan(entityName: "Post"), control: nil).ids.map {
      try before.value(of: "content", for: $0)
    }
    try plan.migrate(path: path)
    let context = try PersistentContainer(path: path).newBackgroundContext()
    let posts = try context.fetch(FetchRequest<ManagedObject>(entityName: "Post"))
    #expect(posts.map { $0.objects(forKey: "sections").map { $0["body"] } } == content.map { [$0] })
    #expect(posts.map { $0["softDeleted"] } == posts.map { _ in false })
    #expect(posts.allSatisfy { !$0["date"].isNull && !$0["postID"].isNull })
    let errors = try SQLiteStore.open(path: path).check().filter { $0.severity == .error }
    #expect(errors.isEmpty)
  }

  /// The makers become objects, as in the tests of the library that the store is of.
  @Test(.needsRealStores, arguments: ["V2toV3.cdm", "V2toV3.xcmappingmodel"])
  func `a compiled mapping model and its source do the same`(file: String) throws {
    let path = try copy("coredataplus/SampleModel_V2.sqlite")
    let momd = "coredataplus/Fixtures/SampleModel.momd"
    let (first, second) = (try model(momd, "SampleModel2"), try model(momd, "SampleModel3"))
    var mapping = try MappingModel(
      path: RealStores.file("migration/coredataplus/" + file).path, from: first, to: second)
    #expect(mapping.entityMappings.count == 5)
    let name = "V2to3MakerPolicy.\(file)"
    for index in mapping.entityMappings.indices
    where mapping.entityMappings[index].policyName != nil {
      #expect(mapping.entityMappings[index].policyName == "REPLACE_AT_RUNTIME.V2to3MakerPolicy")
      mapping.entityMappings[index].policyName = name
    }
    EntityMigrationPolicy.register(
      EntityMigrationPolicy { source, mapping, manager in
        guard let car = try manager.makeInstances(of: source, in: mapping),
          case .string(let text) = source["maker"]
        else { return }
        let makers = manager.userInfo["makers"] as? [String: MigrationDestination] ?? [:]
        let maker = try makers[text] ?? manager.makeInstance(ofEntity: "Maker")
        try maker.setValue(.string(text), forKey: "name")
        manager.userInfo["makers"] = makers.merging([text: maker]) { $1 }
        try car.setObjects([maker], forKey: "createdBy")
      }, as: name)
    func cars(_ store: SQLiteStore, _ key: String) throws -> [[Value]] {
      let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
      return try context.fetch(FetchRequest<ManagedObject>(entityName: "Car")).map { car in
        let maker = key == "maker" ? car[key] : car.objects(forKey: key).first?["name"] ?? .null
        let owner = car.objects(forKey: "owner").first?["firstName"] ?? .null
        return [.string(car.entity.name), car["model"], car["numberPlate"], maker, owner]
      }
    }
    let store = try SQLiteStore.open(path: path)
    let before = try cars(store, "maker")
    let plan = MigrationPlan([.init("2", first), .init("3", second, mapping: mapping)])
    try plan.migrate(path: path)
    let after = try SQLiteStore.open(path: path)
    #expect(try cars(after, "createdBy") == before)
    let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: after))
    let people = try context.fetch(FetchRequest<ManagedObject>(entityName: "Person"))
    // The mapping says so: who owns a car is among its previous owners.
    #expect(
      people.allSatisfy { person in
        Set(person.objects(forKey: "previousCars").map(\.objectID))
          == Set(person.objects(forKey: "cars").map(\.objectID))
      })
    // The hashes are those of the model's file, though only models were passed on.
    let hashes = try ModelFile.versions(path: RealStores.file("migration/" + momd).path)
      .hashes["SampleModel3"]
    #expect(try after.storedVersionHashes() == hashes)
  }

  @Test func `the sample of the articles migrates by its mapping`() throws {
    let path = folder.path("store.sqlite")
    let first = ManagedObjectModel { Entity("Person") { Attribute("name", .string) } }
    let second = ManagedObjectModel {
      Entity("Person") {
        Attribute("name", .string)
        Attribute("mail", .string, isOptional: false)
      }
    }
    let before = try PersistentContainer(path: path, model: first).newBackgroundContext()
    try before.insert(entityName: "Person").setValue("ada", forKey: "name")
    try before.save()
    // sample
    var mapping = MappingModel(inferredFrom: first, to: second)
    mapping["PersonToPerson"]?.values = { person in
      ["mail": .string("\(person["name"])@example.com")]
    }
    let plan = MigrationPlan([.init("1", first), .init("2", second, mapping: mapping)])
    try plan.migrate(path: path)
    // end of sample
    let context = try PersistentContainer(path: path).newBackgroundContext()
    let people = try context.fetch(FetchRequest<ManagedObject>(entityName: "Person"))
    #expect(people.map { [$0["name"], $0["mail"]] } == [["ada", "ada@example.com"]])
  }

  // MARK: Stores of every type

  private static let before = ManagedObjectModel {
    Entity("Person") {
      Attribute("name", .string)
      Attribute("note", .string)
      ToMany("friends", "Person", inverse: "friends")
      ToMany("pets", "Pet", inverse: "owner", isOrdered: true)
    }
    Entity("Pet") {
      Attribute("age", .integer16)
      ToOne("owner", "Person", inverse: "pets")
    }
  }

  private static let after = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Animal",
      attributes: [
        AttributeDescription("age", .integer64),
        AttributeDescription("kind", .string, isOptional: false, defaultValue: "cat"),
      ], relationships: [RelationshipDescription("owner", to: "Person", inverse: "pets")],
      details: EntityDetails(renamingIdentifier: "Pet")),
    EntityDescription(
      name: "Person", attributes: [AttributeDescription("name", .string)],
      relationships: [
        RelationshipDescription("friends", to: "Person", inverse: "friends", isToMany: true),
        RelationshipDescription(
          "pets", to: "Animal", inverse: "owner", isToMany: true, isOrdered: true),
      ]),
  ])

  private func make(_ type: StoreType, at path: String) throws {
    let context = try PersistentContainer(
      path: path, model: Self.before, options: StoreOptions(type: type)
    ).newBackgroundContext()
    let people = try ["Ada", "Bob"].map { name in
      let person = try context.insert(entityName: "Person")
      try person.setValue(.string(name), forKey: "name")
      try person.setValue("lost", forKey: "note")
      return person
    }
    try people[0].add(people[1], forKey: "friends")
    for age in [3, 1, 2] {
      let pet = try context.insert(entityName: "Pet")
      try pet.setValue(.integer(Int64(age)), forKey: "age")
      try people[0].add(pet, forKey: "pets")
    }
    try context.save()
  }

  @Test func `a store in one file is migrated when it is opened`() throws {
    let path = folder.path("store")
    try make(.binary, at: path)
    let context = try PersistentContainer(path: path, model: Self.after).newBackgroundContext()
    let people = try context.fetch(FetchRequest<ManagedObject>(entityName: "Person"))
    #expect(people.map { $0["name"] } == ["Ada", "Bob"])
    #expect(
      people.map { $0.objects(forKey: "pets").map { $0["age"] } } == [[3, 1, 2], []])
    #expect(people[1].objects(forKey: "friends") == [people[0]])
    let pets = try context.fetch(FetchRequest<ManagedObject>(entityName: "Animal"))
    #expect(pets.map { $0["kind"] } == ["cat", "cat", "cat"])
    let new = try context.insert(entityName: "Animal")
    try context.save()
    #expect(!pets.map(\.objectID).contains(new.objectID))
  }

  @Test(arguments: [\StoreOptions.migratesAutomatically, \.infersMappingModel])
  func `a store in one file is not migrated if its option says so`(
    option: WritableKeyPath<StoreOptions, Bool> & Sendable
  ) throws {
    let path = folder.path("store")
    try make(.binary, at: path)
    let bytes = try Data(contentsOf: URL(filePath: path))
    var options = StoreOptions()
    options[keyPath: option] = false
    #expect(throws: StoreError.self) {
      try PersistentContainer(path: path, model: Self.after, options: options)
    }
    #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
    _ = try PersistentContainer(path: path, model: Self.before)
  }
}

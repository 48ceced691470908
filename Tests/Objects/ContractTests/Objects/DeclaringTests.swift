import ManagedObjects
import ObjectModel
import TestStores
import TestSupport
import Testing

/// What a class declares besides its properties.
@Suite struct `Declaring rules and templates by keys` {
  final class Voucher: ManagedObject, EntityClass {
    static let code = AttributeKey<Voucher, String>("code")
    static let percent = AttributeKey<Voucher, Int>("percent")
    static let properties: Properties = [
      Attribute(code, validations: ["length <= 8", "SELF MATCHES '[A-Z]*'"]),
      Attribute(
        percent, validations: ["SELF >= 1", ValidationRule("SELF <= 100", warning: "1620")]),
      FetchTemplate(
        "cheap", predicate: "percent < $MAX", sortedBy: [.init("code")], fetchLimit: 2),
    ]
  }

  private func context(_ kind: Kind, _ folder: TemporaryFolder) throws -> ManagedObjectContext {
    let context = ManagedObjectContext(
      coordinator: PersistentStoreCoordinator(
        store: try kind.makeStore(ManagedObjectModel(Voucher.self), in: folder)))
    for (code, percent) in [("C", 10), ("A", 20), ("B", 20), ("D", 50)] {
      try context.insert(entityName: "Voucher").setValuesForKeys([
        "code": .string(code), "percent": .integer(Int64(percent)),
      ])
    }
    try context.save()
    return context
  }

  // Core Data: NSPropertyDescription.setValidationPredicates(_:withValidationWarnings:).
  @Test(arguments: stores) func `a value that breaks a rule refuses the save`(kind: Kind) throws {
    let folder = try TemporaryFolder()
    let context = try context(kind, folder)
    let voucher = try #require(try context.fetch(Voucher.fetchRequest()).first)
    for percent in [0, 101] {
      voucher[Voucher.percent] = percent
      let error = try managedObjectError { try context.save() }
      #expect(error.problems.map(\.code) == [.rule] && error.problems.map(\.key) == ["percent"])
    }
    voucher[Voucher.percent] = 100
    voucher[Voucher.code] = "lower"
    #expect(throws: ManagedObjectError.self) { try context.save() }
  }

  // Core Data: NSManagedObjectModel.setFetchRequestTemplate(_:forName:).
  @Test(arguments: stores) func `a template is fetched with values for its variables`(kind: Kind)
    throws
  {
    let folder = try TemporaryFolder()
    let context = try context(kind, folder)
    let request = try context.fetchRequest(fromTemplate: "cheap", substituting: ["MAX": 50])
    #expect(try context.fetch(request).map { $0.string("code") } == ["A", "B"])
  }

  final class Misspelt: ManagedObject, EntityClass {
    static let size = AttributeKey<Misspelt, Int>("size")
    static let properties: Properties = [Attribute(size, validations: ["SELF >="])]
  }

  final class Lost: ManagedObject, EntityClass {
    static let size = AttributeKey<Lost, Int>("size")
    static let properties: Properties = [size, FetchTemplate("big", predicate: "size >")]
  }

  // Core Data: NSPredicate(format:) and a fetch raise when they are used.
  @Test func `a rule or a template that cannot be followed is an error of the model`() {
    let rule = #expect(throws: ModelError.self) { try ManagedObjectModel(Misspelt.self) }
    #expect(rule?.reason == .unreadableRule(attribute: "Misspelt.size", rule: "SELF >="))
    let template = #expect(throws: ModelError.self) { try ManagedObjectModel(Lost.self) }
    #expect(
      template?.description.hasPrefix("The fetch request template “big” cannot be fetched: ")
        == true)
  }

  // Core Data: NSManagedObject.setValuesForKeys(_:), dictionaryWithValues(forKeys:).
  @Test(arguments: stores) func `several values are set and read at once`(kind: Kind) throws {
    let office = try Office(kind)
    let ada = try office.person("Ada")
    let values: [String: Value] = ["age": 40, "code": "x", "height": .null]
    try ada.setValuesForKeys(values)
    let read: [String: Value] = ada.dictionaryWithValues(forKeys: ["age", "code", "height"])
    #expect(read == values)
    #expect(throws: ManagedObjectError.self) { try ada.setValuesForKeys(["nonsense": 1]) }
  }

  // Core Data: NSManagedObjectIDResultType.
  @Test(arguments: stores) func `the IDs of a request are fetched as its count is`(kind: Kind)
    throws
  {
    let office = try Office(kind)
    var request = FetchRequest<ManagedObject>(
      entityName: "Person", predicate: try FetchPredicate(format: "age > 22"),
      sortDescriptors: [FetchSortDescriptor("name")])
    try office.context.make("Abe")["age"] = 50
    let ids = try office.context.fetchIDs(request).ids
    #expect(ids.map { office.context.object(with: $0).string("name") } == ["Abe", "Ada", "Cyd"])
    request.includesPendingChanges = false
    #expect(try office.context.fetchIDs(request).ids.count == office.context.count(for: request))
    request.entityName = "Persn"
    #expect(throws: ManagedObjectError.self) { try office.context.fetchIDs(request) }
  }

  @Test func `the name of a relationship is a literal`() async {
    let name: RelationshipName = "Person.pets"
    #expect(name == RelationshipName("pets", of: "Person"))
    await #expect(processExitsWith: .failure) { let _: RelationshipName = "a.b.c" }
  }
}

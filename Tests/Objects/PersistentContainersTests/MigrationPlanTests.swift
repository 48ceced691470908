import Foundation
import ManagedObjects
import ObjectModel
import PersistentContainers
import SQLiteStore
import Synchronization
import TestSupport
import Testing

/// Stages between versions of a model.
@Suite struct MigrationPlanTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path("people.sqlite") }

  init() throws { folder = try TemporaryFolder() }

  private static func model(_ attributes: [String]) -> ManagedObjectModel {
    ManagedObjectModel(entities: [
      EntityDescription(
        name: "Person", attributes: attributes.map { AttributeDescription($0, .string) })
    ])
  }

  /// A name of two words becomes two names.
  private static func plan(_ log: @escaping @Sendable (String) -> Void = { _ in }) -> MigrationPlan
  {
    @Sendable func people(_ context: ManagedObjectContext) throws -> [ManagedObject] {
      try context.fetch(FetchRequest<ManagedObject>(entityName: "Person"))
    }
    return MigrationPlan([
      .init("1", model(["name"])),
      .init(
        "2", model(["first", "last", "name"]),
        willMigrate: { context in
          for person in try people(context) where person["name"].isNull {
            try context.delete(person)
          }
          log("will 2")
        },
        didMigrate: { context in
          for person in try people(context) {
            guard case .string(let name) = person["name"] else { continue }
            let words = name.split(separator: " ").map(String.init)
            try person.setValue(.string(words[0]), forKey: "first")
            try person.setValue(.string(words[1]), forKey: "last")
          }
          log("did 2")
        }),
      .init("3", model(["first", "last"])),
      .init("4", model(["first", "last", "mail"]), didMigrate: { _ in log("did 4") }),
    ])
  }

  private func make(_ layout: StoreOptions.Layout) throws {
    let container = try PersistentContainer(
      path: path, model: Self.model(["name"]), options: StoreOptions(layout: layout))
    let context = container.newBackgroundContext()
    for name in ["Ada Lovelace", nil] as [String?] {
      let person = try context.insert(entityName: "Person")
      if let name { try person.setValue(.string(name), forKey: "name") }
    }
    try context.save()
  }

  private func people() throws -> [[Value]] {
    let context = try PersistentContainer(path: path).newBackgroundContext()
    return try context.fetch(FetchRequest<ManagedObject>(entityName: "Person"))
      .map { [$0["first"], $0["last"]] }
  }

  @Test(arguments: [StoreOptions.Layout.plain, .coreData()])
  func `every stage is run, from the store's version on`(layout: StoreOptions.Layout) throws {
    try make(layout)
    let log = Mutex<[String]>([])
    let plan = Self.plan { line in log.withLock { $0.append(line) } }
    var stages: [String] = []
    try plan.migrate(path: path, to: "3") { stages.append("\($0) \($1)/\($2)") }
    #expect(stages == ["2 0/2", "3 1/2"])
    #expect(try people() == [["Ada", "Lovelace"]])
    try plan.migrate(path: path)
    try plan.migrate(path: path)
    #expect(log.withLock { $0 } == ["will 2", "did 2", "did 4"])
    #expect(try people() == [["Ada", "Lovelace"]])
    let backups = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
      .filter { $0.contains("backup") }
    #expect(backups.isEmpty == (layout == .plain))
  }

  @Test(arguments: [StoreType.binary, .xml])
  func `a store in one file goes through the stages too`(type: StoreType) throws {
    let container = try PersistentContainer(
      path: path, model: Self.model(["name"]), options: StoreOptions(type: type))
    let context = container.newBackgroundContext()
    try context.insert(entityName: "Person").setValue("Ada Lovelace", forKey: "name")
    try context.save()
    let log = Mutex<[String]>([])
    let plan = Self.plan { line in log.withLock { $0.append(line) } }
    try plan.migrate(path: path, to: "3")
    try plan.migrate(path: path)
    #expect(log.withLock { $0 } == ["will 2", "did 2", "did 4"])
    let after = try PersistentContainer(
      path: path, model: Self.model(["first", "last", "mail"])
    ).newBackgroundContext()
    let people = try after.fetch(FetchRequest<ManagedObject>(entityName: "Person"))
    #expect(people.map { [$0["first"], $0["last"]] } == [["Ada", "Lovelace"]])
  }

  @Test func `an XML file of another program is of the one version that it can be read with`()
    throws
  {
    func write(_ attribute: String) throws {
      let text = """
        <?xml version="1.0"?>
        <database><object type="PERSON" id="z1">
        <attribute name="\(attribute)" type="string">Ada Lovelace</attribute></object></database>
        """
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }
    let plan = MigrationPlan([
      .init("1", Self.model(["name"])), .init("2", Self.model(["name", "first"])),
      .init("3", Self.model(["last"])),
    ])
    try write("name")
    let unclear = #expect(throws: StoreError.self) { try plan.migrate(path: path) }
    #expect(unclear?.detail.hasSuffix("it can be of 1 or of 2") == true)
    try write("phone")
    let unknown = #expect(throws: StoreError.self) { try plan.migrate(path: path) }
    #expect(unknown?.detail.hasSuffix("it is of no version of the plan") == true)
    try write("first")
    try plan.migrate(path: path)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.contains("PERSON") && !text.contains("Lovelace"))
  }

  @Test func `there is no way back, and no way from or to an unknown version`() throws {
    try make(.plain)
    let plan = Self.plan()
    try plan.migrate(path: path, to: "3")
    let back = #expect(throws: StoreError.self) { try plan.migrate(path: path, to: "2") }
    #expect(back?.detail == "it has version 3, which is later than 2")
    let unknown = #expect(throws: StoreError.self) { try plan.migrate(path: path, to: "7") }
    #expect(unknown?.remedy == "one of 1, 2, 3, 4")
    let other = MigrationPlan([
      .init("a", Self.model(["name"])), .init("b", Self.model(["first", "last", "phone"])),
    ])
    let foreign = #expect(throws: StoreError.self) { try other.migrate(path: path) }
    #expect(
      foreign?.detail == "its model is none of the plan's versions (a, b); "
        + "that of b is the nearest: Person.phone is missing")
    #expect(try people() == [["Ada", "Lovelace"]])
  }

  @Test func `an error of a stage leaves the store with one of the versions`() throws {
    try make(.plain)
    struct Stop: Error {}
    let plan = MigrationPlan([
      .init("1", Self.model(["name"])),
      .init("2", Self.model(["name", "note"]), willMigrate: { _ in throw Stop() }),
    ])
    #expect(throws: Stop.self) { try plan.migrate(path: path) }
    try Self.plan().migrate(path: path)
    #expect(try people() == [["Ada", "Lovelace"]])
  }

  @Test func `the sample of the articles migrates`() throws {
    let (first, second) = (Self.model(["name"]), Self.model(["name", "mail"]))
    try make(.plain)
    // sample
    let plan = MigrationPlan([
      .init("1", first),
      .init(
        "2", second,
        didMigrate: { context in
          for person in try context.fetch(FetchRequest<ManagedObject>(entityName: "Person")) {
            try person.setValue("unknown", forKey: "mail")
          }
        }),
    ])
    try plan.migrate(path: path)
    // end of sample
    let context = try PersistentContainer(path: path).newBackgroundContext()
    let people = try context.fetch(FetchRequest<ManagedObject>(entityName: "Person"))
    #expect(people.map { $0["mail"] } == ["unknown", "unknown"])
  }
}

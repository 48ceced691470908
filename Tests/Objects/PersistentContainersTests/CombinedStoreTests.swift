import Foundation
import ManagedObjects
import ObjectModel
import PersistentContainers
import Synchronization
import TestSupport
import Testing

/// A store whose saves fail on demand, after they were rehearsed.
private final class FullDisk: ForwardingStore {
  let base: any PersistentStore
  let isFull = Atomic(false)

  init(_ base: any PersistentStore) { self.base = base }

  func save(_ request: SaveRequest) throws(StoreError) -> SaveResult {
    if isFull.load(ordering: .relaxed) {
      throw StoreError(.disk, doing: "saving", detail: "no space left")
    }
    return try base.save(request)
  }
}

/// Several stores behind one coordinator, by the configurations of a model.
struct CombinedStoreTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let model: ManagedObjectModel = {
    let model = ManagedObjectModel {
      Entity("Person") {
        Attribute("name", .string, isOptional: false)
        ToMany("discs", "Disc", inverse: "owner", deleteRule: .cascade)
        ToMany("friends", "Person", inverse: "friends")
      }
      Entity("Disc") {
        Attribute("title", .string)
        ToOne("owner", "Person", inverse: "discs")
      }
      Entity("Setting") {
        Attribute("key", .string)
        Attribute("value", .string)
      }
    }
    return model.configured(["Data": ["Person", "Disc"], "Local": ["Setting"]])
  }()

  private func container(_ second: StoreType = .sqlite) throws -> PersistentContainer {
    try PersistentContainer(
      "discs", model: Self.model,
      configurations: [
        StoreConfiguration("Data", path: folder.path("data.sqlite")),
        StoreConfiguration(
          "Local", path: second == .inMemory ? nil : folder.path("local"),
          options: StoreOptions(type: second)),
      ])
  }

  @Test(arguments: StoreType.allCases)
  func `objects are saved in the store of their entity, and fetched from it`(type: StoreType) throws
  {
    let first = try container(type)
    #expect(first.isNew)
    let context = first.newBackgroundContext()
    let ada = try context.insert(entityName: "Person")
    ada["name"] = "Ada"
    let disc = try context.insert(entityName: "Disc")
    try disc.setObject(ada, forKey: "owner")
    let setting = try context.insert(entityName: "Setting")
    setting["key"] = "theme"
    try context.save()
    #expect(ada.objectID.storeIdentifier != setting.objectID.storeIdentifier)
    if type == .inMemory { return }
    let second = try container(type)
    #expect(!second.isNew)
    let other = second.newBackgroundContext()
    let people = try other.fetch(FetchRequest<ManagedObject>(entityName: "Person"))
    #expect(people.map { $0.objectIDs(forKey: "discs").count } == [1])
    let settings = try other.fetch(FetchRequest<ManagedObject>(entityName: "Setting"))
    #expect(settings.map { $0.string("key") } == ["theme"])
    // Each file has its own entities.
    let data = try PersistentContainer(path: folder.path("data.sqlite"))
    #expect(data.managedObjectModel.entities.map(\.name).sorted() == ["Disc", "Person"])
    try other.delete(people[0])
    settings[0]["value"] = "dark"
    try other.save()
    #expect(try other.count(for: FetchRequest<ManagedObject>(entityName: "Disc")) == 0)
    #expect(try StoreContract(second.persistentStoreCoordinator.store).violations() == [])
  }

  @Test func `a relationship from one store into another is refused, and so is a missing store`()
    throws
  {
    let model = Self.model.configured(["Data": ["Person"], "Local": ["Setting", "Disc"]])
    let error = #expect(throws: StoreError.self) {
      try PersistentContainer(
        "x", model: model,
        configurations: [
          StoreConfiguration("Data", path: nil), StoreConfiguration("Local", path: nil),
        ])
    }
    #expect("\(try #require(error))".contains("in another store"))
    let missing = #expect(throws: StoreError.self) {
      try PersistentContainer(
        "x", model: Self.model, configurations: [StoreConfiguration("Data", path: nil)])
    }
    #expect(missing?.subject == "Setting")
    let unknown = #expect(throws: ManagedObjectError.self) {
      try PersistentContainer(
        "x", model: Self.model, configurations: [StoreConfiguration("Cloud", path: nil)])
    }
    #expect("\(try #require(unknown))".contains("Data, Local"))
  }

  @Test(arguments: [true, false])
  func `what one store refuses is saved in none`(isKnownBefore: Bool) throws {
    let data = try #require(Self.model.part("Data"))
    let local = try #require(Self.model.part("Local"))
    let first = InMemoryStore(model: data)
    let second = FullDisk(InMemoryStore(model: local, readOnlyReason: nil))
    let store = try CombinedStore([first, second], model: Self.model)
    let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    let ada = try context.insert(entityName: "Person")
    ada["name"] = "Ada"
    let bo = try context.insert(entityName: "Person")
    bo["name"] = "Bo"
    let disc = try context.insert(entityName: "Disc")
    try disc.setObject(bo, forKey: "owner")
    try ada.add(bo, forKey: "friends")
    let setting = try context.insert(entityName: "Setting")
    try context.save()
    let before = try contents(first)
    // A change, a deletion with its cascade, a new object with a link, and a change elsewhere.
    ada["name"] = "Countess"
    try context.delete(bo)
    let cy = try context.insert(entityName: "Person")
    cy["name"] = "Cy"
    try cy.add(ada, forKey: "friends")
    setting["value"] = "x"
    if isKnownBefore {
      let other = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: second))
      let same = try other.fetch(FetchRequest<ManagedObject>(entityName: "Setting"))
      same[0]["value"] = "y"
      try other.save()
    } else {
      second.isFull.store(true, ordering: .relaxed)
    }
    #expect(throws: ManagedObjectError.self) { try context.save() }
    #expect(try contents(first) == before)
    if isKnownBefore { return }
    second.isFull.store(false, ordering: .relaxed)
    try context.save()
    let names = try context.fetch(
      FetchRequest<ManagedObject>(
        entityName: "Person", sortDescriptors: [FetchSortDescriptor("name")]))
    #expect(names.map { $0.string("name") } == ["Countess", "Cy"])
    #expect(names[1].objectIDs(forKey: "friends") == [ada.objectID])
  }

  /// The rows of a store, without versions, and who is whose friend.
  private func contents(_ store: InMemoryStore) throws -> [String] {
    let rows = try store.storedRows()
    let people = rows.objectIDs.filter { $0.entityName == "Person" }.sorted()
    let friends = try store.destinations(of: "friends", from: people)
    return rows.objectIDs.sorted().map { id in
      let row = rows.row(of: id)
      return "\(id) \(row.map { Array($0.values) } ?? []) \(row?.toOne ?? []) \(friends[id] ?? [])"
    }
  }
}

extension ManagedObjectModel {
  fileprivate func configured(_ configurations: [String: [String]]) -> ManagedObjectModel {
    ManagedObjectModel(entities: entities, details: ModelDetails(configurations: configurations))
  }
}

import GRDB
import ManagedObjects
import ObjectModel
import SQLiteStore
import TestSupport
import Testing

/// Saves in copies of real stores, compared with their rows before.
@Suite(.needsRealStores)
struct RealStoreSaveTests {
  private func context(_ copy: StoreCopy) -> ManagedObjectContext {
    ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: copy.store))
  }

  private func objects(_ entityName: String, in context: ManagedObjectContext) throws
    -> [ManagedObject]
  {
    try context.fetch(FetchRequest<ManagedObject>(entityName: entityName))
  }

  /// The contents of all ordered relationships, in order.
  private func orders(in store: SQLiteStore) throws -> [String: [ObjectID]] {
    var orders: [String: [ObjectID]] = [:]
    for entity in store.model.entities {
      for relationship in entity.relationships where relationship.isOrdered {
        let ids = try store.fetch(FetchPlan(entityName: entity.name), control: nil).ids
        for id in ids where id.entityName == entity.name {
          orders["\(id) \(relationship.name)"] =
            try store.destinations(of: relationship.name, from: [id])[id]
        }
      }
    }
    return orders
  }

  /// Expects that the check of the store finds no errors.
  private func expectSound(_ copy: StoreCopy, sourceLocation: SourceLocation = #_sourceLocation)
    throws
  {
    let errors = try copy.store.check().filter { $0.severity == .error }
    #expect(errors.isEmpty, "\(errors)", sourceLocation: sourceLocation)
  }

  @Test func `a changed attribute changes only its column and Z_OPT`() throws {
    let copy = try StoreCopy("sample-v2.sqlite", options: .init(makesBackup: false))
    let before = try StoreDump(copy.database)
    let context = context(copy)
    let car = try #require(try objects("LuxuryCar", in: context).first)
    try car.setValue("Zonda", forKey: "model")
    try context.save()
    let key = car.objectID.uriRepresentation.split(separator: "/").last?.dropFirst() ?? ""
    let changes = try StoreDump(copy.database).changes(since: before)
    #expect(changes.count == 1)
    #expect(changes.first?.hasPrefix("ZCAR \(key): ZMODEL") == true, "\(changes)")
    #expect(changes.first?.contains("Z_OPT") == true)
    try expectSound(copy)
  }

  @Test func `a new object gets the next key and its entity's number, and its owner is updated`()
    throws
  {
    let copy = try StoreCopy("sample-v2.sqlite", options: .init(makesBackup: false))
    let before = try StoreDump(copy.database)
    let context = context(copy)
    let car = try context.insert(entityName: "SportCar")
    try car.setValue("999", forKey: "numberPlate")
    let person = try #require(try objects("Person", in: context).first)
    try car.setObject(person, forKey: "owner")
    try context.save()
    let after = try StoreDump(copy.database)
    let row = try #require(after.tables["ZCAR"]?["126"])
    #expect(row["Z_ENT"] == "2")
    #expect(row["Z_OPT"] == "1")
    #expect(row["ZOWNER"] == "1")
    let changed = Set(after.changes(since: before).map { $0.prefix { $0 != " " } })
    #expect(changed == ["ZCAR", "ZPERSON", "Z_PRIMARYKEY"])
    #expect(after.tables["ZPERSON"]?["1"]?["Z_OPT"] == "2")
    #expect(after.brokenRules(since: before).isEmpty)
    try expectSound(copy)
  }

  @Test func `the error of a uniqueness constraint names the property`() throws {
    let copy = try StoreCopy("sample-v2.sqlite", options: .init(makesBackup: false))
    let before = try StoreDump(copy.database)
    let context = context(copy)
    let cars = try objects("Car", in: context)
    try cars[0].setValue(cars[1].value(forKey: "numberPlate"), forKey: "numberPlate")
    let error = #expect(throws: ManagedObjectError.self) { try context.save() }
    #expect(error?.description.contains("numberPlate") == true, "\(String(describing: error))")
    let sentence = error?.description.split(separator: "\n").first ?? ""
    #expect(!sentence.contains("ZNUMBERPLATE"), "\(sentence)")
    #expect(try StoreDump(copy.database) == before)
  }

  @Test(arguments: [
    ("sample-v2.sqlite", "Person"), ("sample-v2.sqlite", "Car"), ("library-history.sqlite", "Book"),
    ("library-history.sqlite", "Author"), ("bookmarks-v5.sqlite", "BookmarkEntity"),
    ("cart-swiftdata.sqlite", "CartModel"), ("accounts.sqlite", "Account"),
    ("accounts.sqlite", "AccountType"), ("moody-v1.moody", "Continent"), ("knowledge.db", "Source"),
    ("photos.sqlite", "Asset"), ("photos.sqlite", "Album"), ("photos.sqlite", "Person"),
    ("photos.sqlite", "Keyword"),
  ])
  func `undoing a deletion restores every value`(name: String, entityName: String) throws {
    let copy = try StoreCopy(name, options: .init(makesBackup: false))
    let context = context(copy)
    guard context.model.entity(named: entityName) != nil else { return }
    let before = try StoreDump(copy.database)
    let orders = try orders(in: copy.store)
    let all = try objects(entityName, in: context)
    var deletedCount = 0
    for object in all.prefix(3) where context.isDeletable(object) {
      context.undoHistory.beginGroup()
      try context.delete(object)
      context.undoHistory.endGroup()
      deletedCount += 1
    }
    guard deletedCount > 0 else { return }
    try context.save()
    let deleted = try StoreDump(copy.database)
    #expect(deleted != before)
    #expect(deleted.brokenRules(since: before).isEmpty)
    try expectSound(copy)
    while context.undoHistory.canUndo { _ = context.undoHistory.undo() }
    try context.save()
    let after = try StoreDump(copy.database)
    #expect(
      after.contents.withoutBrokenPairs.changes(since: before.contents.withoutBrokenPairs) == [])
    #expect(try self.orders(in: copy.store) == orders)
    try expectSound(copy)
  }
}

extension ManagedObjectContext {
  /// Whether no delete rule denies the deletion of an object.
  fileprivate func isDeletable(_ object: ManagedObject) -> Bool {
    guard !object.isDeleted, let plan = try? deletionPlan(for: [object.objectID]) else {
      return false
    }
    return plan.denied.isEmpty
  }
}

import ManagedObjects
import ObjectModel
import TestSupport
import Testing

@testable import SQLiteStore

/// Random changes in a store with each rule of Core Data's layout, compared with its tables.
struct RandomSaveTests {
  @Test(arguments: [1, 14, 15, 26, 27, 43] as [UInt64])
  func `random saves keep the store's rules, show their statements, and can be undone`(
    seed: UInt64
  ) throws {
    let fixture = try Fixture("garden", model: Fixture.garden)
    // A one-to-one that is set on one side only is not nullified with its destination: a delete
    // rule follows the object's own side.
    try fixture.database.run("UPDATE ZPERSON SET ZPOST = NULL WHERE Z_PK = 3")
    let store = try fixture.open(.init(makesBackup: false))
    var generator = SeededGenerator(seed: seed)
    var (savedCount, undoneCount) = (0, 0)
    for _ in 0..<12 {
      let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
      let known = Set(try store.check())
      let before = try StoreDump(fixture.database)
      let pictureBefore = Set(try store.picture().split(separator: "\n"))
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        try step(context, &generator)
      }
      let shown = try? store.explain(context.saveRequest())
      do {
        let writer = try store.pool.openWriter()
        let run = try StatementTrace.writes(on: writer) { try context.save() }
        #expect(shown?.comparable == run.comparable)
      } catch let error as ManagedObjectError {
        // Validation refused it: nothing was written.
        #expect(try StoreDump(fixture.database) == before, "\(error)")
        continue
      }
      savedCount += 1
      let after = try StoreDump(fixture.database)
      #expect(after.brokenRules(since: before) == [])
      let errors = try store.check().filter { $0.severity == .error && !known.contains($0) }
      #expect(errors == [])
      // A new context reads the same objects as this context has.
      #expect(try beliefs(context) == beliefs(fresh(store)))
      guard Bool.random(using: &generator) else { continue }
      while context.undoHistory.canUndo { _ = context.undoHistory.undo() }
      try context.save()
      let picture = Set(try store.picture().split(separator: "\n"))
      #expect(picture.symmetricDifference(pictureBefore) == [])
      undoneCount += 1
      let undone = try StoreDump(fixture.database)
      #expect(undone.brokenRules(since: after) == [])
    }
    #expect(savedCount >= 4 && undoneCount >= 1, "\(savedCount) saved, \(undoneCount) undone")
  }

  private func fresh(_ store: SQLiteStore) -> ManagedObjectContext {
    ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
  }

  /// All objects with their relationships, in order for ordered ones.
  private func beliefs(_ context: ManagedObjectContext) throws -> [String] {
    try objects(in: context).map { object in
      let links = object.entity.relationships.map { relationship in
        let ids =
          relationship.isToMany
          ? object.objectIDs(forKey: relationship.name)
          : [object.objectID(forKey: relationship.name)].compactMap(\.self)
        return "\(relationship.name)=\(relationship.isOrdered ? ids : ids.sorted())"
      }
      return "\(object.objectID) \(links)"
    }
  }

  private func objects(in context: ManagedObjectContext) throws -> [ManagedObject] {
    try context.model.entities.filter { $0.superentityName == nil }.flatMap { entity in
      try context.fetch(FetchRequest<ManagedObject>(entityName: entity.name))
    }.sorted { $0.objectID < $1.objectID }
  }

  /// Changes one object, as one undo step.
  private func step(_ context: ManagedObjectContext, _ generator: inout SeededGenerator) throws {
    let all = try objects(in: context)
    guard let object = all.randomElement(using: &generator) else { return }
    context.undoHistory.beginGroup()
    defer { context.undoHistory.endGroup() }
    switch Int.random(in: 0..<8, using: &generator) {
    case 0:
      guard try context.deletionPlan(for: [object.objectID]).denied.isEmpty else { return }
      try context.delete(object)
    case 1:
      let names = context.model.entities.filter { !$0.isAbstract }.map(\.name)
      guard let name = names.randomElement(using: &generator) else { return }
      let new = try context.insert(entityName: name)
      if new.entity.attribute(named: "name") != nil {
        try new.setValue(
          .string("new \(Int.random(in: 0..<99, using: &generator))"), forKey: "name")
      }
      try relate(new, among: all, &generator)
    case 2:
      let texts = object.entity.attributes.filter { $0.type == .string }
      guard let attribute = texts.randomElement(using: &generator) else { return }
      try object.setValue(
        .string("text \(Int.random(in: 0..<99, using: &generator))"), forKey: attribute.name)
    default:
      try relate(object, among: all, &generator)
    }
  }

  /// Sets, adds to or removes from a relationship of an object.
  private func relate(
    _ object: ManagedObject, among all: [ManagedObject], _ generator: inout SeededGenerator
  ) throws {
    guard let relationship = object.entity.relationships.randomElement(using: &generator),
      let model = object.managedObjectContext?.model
    else { return }
    let names = Set(model.entityNames(inheritingFrom: relationship.destinationEntityName))
    let others = all.filter { names.contains($0.entity.name) && !$0.isDeleted }
    let other = others.randomElement(using: &generator)
    guard relationship.isToMany else {
      return try object.setObject(
        Bool.random(using: &generator) ? other : nil, forKey: relationship.name)
    }
    let contents = object.objects(forKey: relationship.name)
    if Bool.random(using: &generator), let gone = contents.randomElement(using: &generator) {
      try object.remove(gone, forKey: relationship.name)
    } else if let other, !contents.contains(other) {
      // Without an inverse an object has one owner, and undo does not know from which owner it was
      // taken.
      guard relationship.inverseName != nil || !isOwned(other, by: relationship.name, among: all)
      else { return }
      let place =
        relationship.isOrdered ? Int.random(in: 0...contents.count, using: &generator) : nil
      try object.add(other, forKey: relationship.name, at: place)
    }
  }

  private func isOwned(_ object: ManagedObject, by key: String, among all: [ManagedObject]) -> Bool
  {
    all.contains {
      $0.entity.relationship(named: key) != nil
        && $0.objectIDs(forKey: key).contains(object.objectID)
    }
  }
}

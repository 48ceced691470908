import Foundation
import ManagedObjects
import ObjectModel
import Testing

/// What a setter that cannot throw could not set makes the next save throw.
struct RefusedAssignmentTests {
  private final class Person: ManagedObject, EntityClass {
    static let entityName = "Person"
    static let name = AttributeKey<Person, String>("name")
    static let age = AttributeKey<Person, String?>("age")
    static let employer = RelationshipKey<Person, ManagedObject?>("employer")
    static let manager = RelationshipKey<Person, Person?>("manager")
  }

  private let context = makeContext()
  private let ada: Person

  init() throws {
    ada = try Person.insert(into: context)
    ada[Person.name] = "Ada"
    try context.save()
  }

  private func problems() -> [String] {
    let error = #expect(throws: ManagedObjectError.self) { try context.save() }
    #expect(error?.reason == .validation)
    return error?.problems.map { "\($0.name).\($0.key) \($0.message)" } ?? []
  }

  @Test func `the save throws until the property is set`() throws {
    var reported = 0
    context.onError = { _ in reported += 1 }
    ada[Person.age] = "old"
    ada[Person.name] = "Ada L."
    #expect(reported == 1)
    let refused = problems()
    #expect(refused.count == 1 && refused[0].hasPrefix("Ada L..age was not set: "), "\(refused)")
    #expect(try context.storedPicture().contains("name=Ada age"))
    #expect(problems().count == 1)
    ada["age"] = 36
    try context.save()
    #expect(try context.storedPicture().contains("name=Ada L. age=36"))
  }

  @Test func `setting the value that it has already corrects it`() throws {
    ada[Person.age] = "old"
    ada["age"] = 18
    try context.save()
  }

  @Test func `a save without other changes throws too`() throws {
    ada[Person.age] = "old"
    #expect(problems().count == 1)
  }

  @Test func `a relationship that leads to another context is refused`() throws {
    let other = ManagedObjectContext(coordinator: context.persistentStoreCoordinator)
    ada[Person.employer] = try other.make("Company", "Engines")
    let refused = problems()
    #expect(refused.count == 1 && refused[0].contains("employer"), "\(refused)")
    ada[Person.employer] = nil
    try context.save()
  }

  @Test(arguments: 0..<5)
  func `discarding, deleting and undoing end it`(index: Int) throws {
    ada[Person.name] = "Bea"
    ada[Person.age] = "old"
    switch index {
    case 0: context.rollback()
    case 1: context.discardChanges(of: [ada.objectID])
    case 2: context.undoHistory.undo()
    case 3: context.reset()
    default: try context.delete(ada)
    }
    try context.save()
  }

  @Test func `an assignment to an object that is gone is reported once`() throws {
    let bob = try context.make("Person", "Bob")
    try context.save()
    try context.delete(bob)
    try context.save()
    bob["name"] = "Robert"
    #expect(problems().count == 1)
    try context.save()
  }

  @Test func `through a path it is refused to the object at its end`() throws {
    let boss = try Person.insert(into: context)
    boss[Person.name] = "Bea"
    ada[Person.manager] = boss
    ada["age"] = "old"
    ada[Person.manager.age] = "40 years"
    #expect(problems().map { $0.prefix { $0 != " " } } == ["Ada.age", "Bea.age"])
    // Neither corrects the other's.
    boss["age"] = 40
    #expect(problems().map { $0.prefix { $0 != " " } } == ["Ada.age"])
    ada[Person.manager.age] = nil
    #expect(problems().count == 1)
    ada["age"] = 36
    try context.save()
  }

  @Test func `a path that leads to no object is refused to its first`() throws {
    ada[Person.manager.name] = "Bea"
    #expect(problems().map { $0.prefix { $0 != " " } } == ["Ada.manager.name"])
    ada[Person.manager] = ada
    ada[Person.manager.name] = "Bea"
    try context.save()
    #expect(ada[Person.name] == "Bea")
  }

  @Test func `looking at what a save would do changes nothing`() throws {
    ada[Person.age] = "old"
    let plan = try context.deletionPlan(for: [ada.objectID])
    _ = try context.rehearseSave(deleting: plan)
    #expect(problems().count == 1)
    // A deletion that fails leaves it as it was too.
    try context.make("Person", "Bob").setValue(.null, forKey: "name")
    #expect(throws: ManagedObjectError.self) {
      try context.save(deleting: context.deletionPlan(for: [ada.objectID]))
    }
    #expect(problems().contains { $0.hasPrefix("Ada.age was not set") })
  }

  @Test func `nothing to undo changes nothing`() throws {
    context.undoHistory.removeAllActions()
    ada[Person.age] = "old"
    #expect(context.undoHistory.undo() == nil && context.undoHistory.redo() == nil)
    #expect(problems().count == 1)
  }

  @Test func `deleting the new object that refused something is processed`() throws {
    let bob = try Person.insert(into: context)
    let other = ManagedObjectContext(coordinator: context.persistentStoreCoordinator)
    context.processPendingChanges()
    bob[Person.employer] = try other.make("Company", "Engines")
    var deleted: Set<ObjectID> = []
    let observation = context.observe { if case .changed(let c) = $0 { deleted = c.deleted } }
    try context.save(deleting: context.deletionPlan(for: [bob.objectID]))
    #expect(deleted == [bob.objectID])
    observation.cancel()
  }
}

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
    let told = problems()
    #expect(told.count == 1 && told[0].hasPrefix("Ada L..age was not set: "), "\(told)")
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
    let told = problems()
    #expect(told.count == 1 && told[0].contains("employer"), "\(told)")
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

  @Test func `an assignment to an object that is gone is told once`() throws {
    let bob = try context.make("Person", "Bob")
    try context.save()
    try context.delete(bob)
    try context.save()
    bob["name"] = "Robert"
    #expect(problems().count == 1)
    try context.save()
  }
}

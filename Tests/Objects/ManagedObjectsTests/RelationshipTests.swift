import ObjectModel
import Testing

@testable import ManagedObjects

struct RelationshipTests {
  private let context = makeContext()

  @Test func `both ends of every relationship agree before and after the save`() throws {
    let (ada, bob) = (try context.make("Person", "Ada"), try context.make("Person", "Bob"))
    let tag = try context.make("Tag", "first")
    try ada.add(tag, forKey: "tags")
    try ada.add(bob, forKey: "friends")
    try bob.setObject(ada, forKey: "manager")
    for _ in 0..<2 {
      #expect(tag.objects(forKey: "people") == [ada])
      #expect(bob.objects(forKey: "friends") == [ada] && ada.objects(forKey: "friends") == [bob])
      #expect(ada.objects(forKey: "reports") == [bob])
      try context.save()
    }
    try tag.remove(ada, forKey: "people")
    try bob.remove(ada, forKey: "friends")
    try ada.remove(bob, forKey: "reports")
    #expect(ada.count(forKey: "tags") == 0 && ada.count(forKey: "friends") == 0)
    #expect(bob.object(forKey: "manager") == nil)
    try context.save()
    #expect(try context.storedPicture() == context.picture())
  }

  @Test func `setting a one-to-one relationship clears the one it had before`() throws {
    let (ada, bob) = (try context.make("Person", "Ada"), try context.make("Person", "Bob"))
    let passport = try context.make("Passport", "UK1")
    try ada.setObject(passport, forKey: "passport")
    #expect(passport.object(forKey: "holder") === ada)
    try passport.setObject(bob, forKey: "holder")
    #expect(ada.object(forKey: "passport") == nil && bob.object(forKey: "passport") === passport)
    try ada.setObject(passport, forKey: "passport")
    #expect(bob.object(forKey: "passport") == nil && passport.object(forKey: "holder") === ada)
  }

  @Test func `an ordered relationship keeps its order through a save`() throws {
    let ada = try context.make("Person", "Ada")
    let tags = try ["a", "b", "c"].map { try context.make("Tag", $0) }
    for tag in tags { try ada.add(tag, forKey: "favourites", at: 0) }
    try context.save()
    #expect(ada.objects(forKey: "favourites").map(\.displayName) == ["c", "b", "a"])
    try ada.add(tags[0], forKey: "favourites", at: 1)
    try context.save()
    let other = ManagedObjectContext(coordinator: context.persistentStoreCoordinator)
    let names = other.object(with: ada.objectID).objects(forKey: "favourites").map(\.displayName)
    #expect(names == ["c", "a", "b"])
  }

  @Test func `objects of the wrong entity or of another context are refused`() throws {
    let ada = try context.make("Person", "Ada")
    let pet = try context.make("Pet", "Rex")
    #expect(throws: ManagedObjectError.self) { try ada.setObject(pet, forKey: "employer") }
    #expect(throws: ManagedObjectError.self) { try ada.add(ada, forKey: "pets") }
    let foreign = try makeContext().make("Company", "Engines")
    let error = #expect(throws: ManagedObjectError.self) {
      try ada.setObject(foreign, forKey: "employer")
    }
    #expect(error?.reason == .wrongType)
    #expect(ada.object(forKey: "employer") == nil)
  }

  @Test func `inserting, relating and saving ten thousand objects takes linear time`() throws {
    let company = try context.make("Company", "Engines")
    for number in 0..<10_000 {
      let person = try context.make("Person", "P\(number)")
      try person.setObject(company, forKey: "employer")
    }
    #expect(company.count(forKey: "employees") == 10_000)
    try context.save()
    #expect(company.count(forKey: "employees") == 10_000)
    #expect(context.changeCounts == (0, 0, 0))
  }
}

import ManagedObjects
import ObjectModel
import TestStores
import Testing

@Suite struct `New objects with the same unique values` {
  private static let policies: [MergePolicy] = [
    .mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite, .rollback,
  ]

  /// Two new people with the code x; the first is 1 year old and 1.5 m tall, the second is 2.
  private func twins(_ kind: Kind, _ policy: MergePolicy) throws -> (
    office: Office, one: ManagedObject, two: ManagedObject
  ) {
    let office = try Office(kind)
    office.context.mergePolicy = policy
    let (one, two) = (try office.context.make("One"), try office.context.make("Two"))
    (one["code"], one["age"], one["height"]) = ("x", 1, 1.5)
    (two["code"], two["age"]) = ("x", 2)
    return (office, one, two)
  }

  // Core Data: NSMergePolicy.resolve(constraintConflicts:): one object is left.
  @Test(arguments: stores, policies)
  func `are one object in the store under every policy but error`(kind: Kind, policy: MergePolicy)
    throws
  {
    let (office, one, two) = try twins(kind, policy)
    try office.context.save()
    #expect(!office.context.hasChanges && one.objectID == two.objectID)
    #expect(!two.objectID.isTemporary && one["age"] == two["age"])
    #expect(try office.anotherContext().names(where: "code == 'x'").count == 1)
    #expect(try office.anotherContext().names().count == 4)
  }

  // Core Data: NSErrorMergePolicy: the save throws.
  @Test(arguments: stores) func `are refused under the policy error`(kind: Kind) throws {
    let (office, one, two) = try twins(kind, .error)
    let error = try managedObjectError { try office.context.save() }
    #expect(Set(error.objectIDs) == [one.objectID, two.objectID])
    #expect(try office.anotherContext().names().count == 3)
  }

  // Core Data: NSMergeByPropertyObjectTrumpMergePolicy: values in memory replace others.
  @Test(arguments: stores) func `have the values of the last one under object trump`(kind: Kind)
    throws
  {
    let (office, one, _) = try twins(kind, .mergeByPropertyObjectTrump)
    try office.context.save()
    #expect(one["name"] == "Two" && one["age"] == 2 && one["height"] == 1.5)
    #expect(try office.stored("Two", "height") == 1.5)
  }

  // Core Data: NSOverwriteMergePolicy.
  @Test(arguments: stores) func `have the last one's values only under overwrite`(kind: Kind) throws
  {
    let (office, one, _) = try twins(kind, .overwrite)
    try office.context.save()
    #expect(one["name"] == "Two" && one["height"].isNull)
  }

  // Core Data: NSMergeByPropertyStoreTrumpMergePolicy, NSRollbackMergePolicy.
  @Test(arguments: stores, [MergePolicy.mergeByPropertyStoreTrump, .rollback])
  func `have the values of the first one under store trump and rollback`(
    kind: Kind, policy: MergePolicy
  ) throws {
    let (office, _, two) = try twins(kind, policy)
    try office.context.save()
    #expect(two["name"] == "One" && two["age"] == 1 && two["height"] == 1.5)
  }

  // Core Data: relationships of merged objects are those of the one that is left.
  @Test(arguments: stores, policies)
  func `have the to-many relationships of both`(kind: Kind, policy: MergePolicy) throws {
    let (office, one, two) = try twins(kind, policy)
    try office.context.make("a", "Pet").setObject(one, forKey: "owner")
    try office.context.make("b", "Pet").setObject(two, forKey: "owner")
    try two.add(office.context.named("red", "Tag"), forKey: "tags")
    let name = policy == .mergeByPropertyObjectTrump || policy == .overwrite ? "Two" : "One"
    try office.context.save()
    let read = try office.anotherContext().named(name)
    #expect(read.names("pets").sorted() == ["a", "b"] && read.names("tags") == ["red"])
    #expect(one.names("pets").sorted() == ["a", "b"] && two.names("pets").sorted() == ["a", "b"])
  }

  // Core Data: a stored object with the values is the one that is left.
  @Test(arguments: stores) func `are merged into the stored object that has the values`(kind: Kind)
    throws
  {
    let (office, one, two) = try twins(kind, .mergeByPropertyObjectTrump)
    let other = office.anotherContext()
    let ada = try other.named("Ada")
    ada["code"] = "x"
    try other.save()
    try office.context.save()
    #expect(one.objectID == ada.objectID && two.objectID == ada.objectID)
    #expect(try office.anotherContext().names() == ["Bob", "Cyd", "Two"])
    #expect(try office.stored("Two", "height") == 1.5)
  }

  // Core Data: any number of objects may have the same values.
  @Test(arguments: stores) func `may be many, of several values`(kind: Kind) throws {
    let office = try Office(kind)
    office.context.mergePolicy = .mergeByPropertyObjectTrump
    let people = try (0..<30).map { number in
      let person = try office.context.make("n\(number)")
      person["code"] = .string("c\(number % 3)")
      return person
    }
    try office.context.save()
    #expect(Set(people.map(\.objectID)).count == 3)
    #expect(try office.anotherContext().names(where: "code != nil") == ["n27", "n28", "n29"])
  }

  // Core Data: an object that was merged is an ordinary one afterwards.
  @Test(arguments: stores) func `go on living as one object`(kind: Kind) throws {
    let (office, one, two) = try twins(kind, .mergeByPropertyObjectTrump)
    let temporary = [one.objectID, two.objectID]
    try office.context.save()
    two["age"] = 9
    try office.context.save()
    #expect(try one["age"] == 9 && office.stored("Two", "age") == 9)
    #expect(
      temporary.map { office.context.object(with: $0).objectID } == [one, two].map(\.objectID))
    try office.context.delete(one)
    try office.context.save()
    #expect(try office.anotherContext().names().count == 3)
  }

  // Core Data: a save that fails for another reason may be made again.
  @Test(arguments: stores) func `are merged by a save that succeeds after one that failed`(
    kind: Kind
  )
    throws
  {
    let (office, one, two) = try twins(kind, .mergeByPropertyObjectTrump)
    let nameless = try office.context.insert(entityName: "Person")
    #expect(throws: ManagedObjectError.self) { try office.context.save() }
    nameless["name"] = "Nemo"
    try office.context.save()
    #expect(one.objectID == two.objectID && !two.objectID.isTemporary && two["age"] == 2)
    #expect(try office.anotherContext().names() == ["Ada", "Bob", "Cyd", "Nemo", "Two"])
  }

  // Core Data: objects of different entities are not merged: a constraint of theirs is broken.
  @Test(arguments: stores) func `are refused if they are of different entities`(kind: Kind) throws {
    let office = try Office(kind)
    office.context.mergePolicy = .mergeByPropertyObjectTrump
    let (one, two) = (try office.context.make("1"), try office.context.make("2", "Student"))
    (one["code"], two["code"]) = ("x", "x")
    let error = try managedObjectError { try office.context.save() }
    #expect(Set(error.objectIDs) == [one.objectID, two.objectID])
  }
}

import ManagedObjects
import ObjectModel
import TestStores
import Testing

@Suite struct `To-many relationships` {
  // Core Data: the inverse of a to-many relationship is set when an object is added.
  @Test(arguments: stores) func `adding an object sets its inverse`(kind: Kind) throws {
    let office = try Office(kind)
    let (bob, fido) = (try office.person("Bob"), try office.context.make("Fido", "Pet"))
    try bob.add(fido, forKey: "pets")
    #expect(fido.object(forKey: "owner") === bob)
    try office.context.save()
    #expect(try office.anotherContext().named("Bob").names("pets") == ["Fido"])
  }

  // Core Data: the inverse of a to-many relationship is cleared when an object is removed.
  @Test(arguments: stores) func `removing an object clears its inverse`(kind: Kind) throws {
    let office = try Office(kind)
    let (ada, rex) = (try office.person("Ada"), try office.context.named("Rex", "Pet"))
    try ada.remove(rex, forKey: "pets")
    #expect(rex.object(forKey: "owner") == nil && ada.objects(forKey: "pets").isEmpty)
    try office.context.save()
    #expect(try office.anotherContext().named("Rex", "Pet").names("owner") == [])
  }

  // Core Data: an object of a one-to-many relationship has one owner.
  @Test(arguments: stores) func `adding an object takes it from its former owner`(kind: Kind) throws
  {
    let office = try Office(kind)
    let (ada, bob) = (try office.person("Ada"), try office.person("Bob"))
    try bob.add(office.context.named("Rex", "Pet"), forKey: "pets")
    #expect(ada.names("pets") == [] && bob.names("pets") == ["Rex"])
    try office.context.save()
    #expect(try office.anotherContext().named("Ada").names("pets") == [])
  }

  // Core Data: a to-many relationship is a set.
  @Test(arguments: stores) func `an object that is added twice is in it once`(kind: Kind) throws {
    let office = try Office(kind)
    let (ada, red) = (try office.person("Ada"), try office.context.named("red", "Tag"))
    try ada.add(red, forKey: "tags")
    #expect(ada.names("tags") == ["red"] && !office.context.hasChanges)
  }

  // Core Data: many-to-many relationships have an inverse like all others.
  @Test(arguments: stores) func `a many-to-many relationship has both ends`(kind: Kind) throws {
    let office = try Office(kind)
    let (bob, red) = (try office.person("Bob"), try office.context.named("red", "Tag"))
    try red.add(bob, forKey: "people")
    #expect(bob.names("tags") == ["red"] && red.names("people").sorted() == ["Ada", "Bob"])
    try office.context.save()
    #expect(try office.anotherContext().named("Bob").names("tags") == ["red"])
  }

  // Core Data: removing at one end of a many-to-many relationship removes at the other.
  @Test(arguments: stores) func `unlinking many-to-many unlinks both ends`(kind: Kind) throws {
    let office = try Office(kind)
    let (ada, red) = (try office.person("Ada"), try office.context.named("red", "Tag"))
    try red.remove(ada, forKey: "people")
    #expect(ada.names("tags") == [])
    try office.context.save()
    #expect(try office.anotherContext().named("red", "Tag").names("people") == [])
    #expect(try office.anotherContext().named("Ada").names("favourites") == ["red", "green"])
  }

  // Core Data: a relationship may be its own inverse.
  @Test(arguments: stores) func `friendship holds in both directions`(kind: Kind) throws {
    let office = try Office(kind)
    let (ada, bob) = (try office.person("Ada"), try office.person("Bob"))
    try ada.add(bob, forKey: "friends")
    #expect(bob.names("friends") == ["Ada"])
    try office.context.save()
    let other = office.anotherContext()
    #expect(try other.named("Bob").names("friends") == ["Ada"])
    #expect(try other.named("Ada").names("friends") == ["Bob"])
  }

  // Core Data: NSManagedObject: a to-many relationship of new objects.
  @Test(arguments: stores) func `a new object is added to and saved`(kind: Kind) throws {
    let office = try Office(kind)
    let new = try office.context.make("New")
    for name in ["x", "y"] { try new.add(office.context.make(name, "Tag"), forKey: "tags") }
    #expect(new.count(forKey: "tags") == 2)
    try office.context.save()
    #expect(try office.anotherContext().named("New").names("tags").sorted() == ["x", "y"])
  }

  // Core Data: NSManagedObject.changedValues(): a to-many relationship is a change of its object.
  @Test(arguments: stores) func `a changed many-to-many relationship is a change of both objects`(
    kind: Kind
  ) throws {
    let office = try Office(kind)
    let (bob, red) = (try office.person("Bob"), try office.context.named("red", "Tag"))
    try bob.add(red, forKey: "tags")
    #expect(bob.changedKeys == ["tags"] && red.changedKeys == ["people"])
    #expect(Set(office.context.updatedObjects) == [bob, red])
  }

  // Core Data: NSManagedObject.hasChanges: adding and removing cancel each other.
  @Test(arguments: stores) func `adding and removing again leaves nothing to save`(kind: Kind)
    throws
  {
    let office = try Office(kind)
    let (bob, red) = (try office.person("Bob"), try office.context.named("red", "Tag"))
    try bob.add(red, forKey: "tags")
    try bob.remove(red, forKey: "tags")
    #expect(!office.context.hasChanges)
  }

  // Core Data: the destination entity of a to-many relationship is checked.
  @Test(arguments: stores) func `an object of another entity cannot be added`(kind: Kind) throws {
    let office = try Office(kind)
    let (ada, bob) = (try office.person("Ada"), try office.person("Bob"))
    #expect(throws: ManagedObjectError.self) { try ada.add(bob, forKey: "tags") }
  }

  // Core Data: NSManagedObjectContext.delete(_:): deleted objects leave their relationships.
  @Test(arguments: stores) func `a deleted object leaves to-many relationships at once`(kind: Kind)
    throws
  {
    let office = try Office(kind)
    let acme = try office.context.named("Acme", "Company")
    try office.context.delete(office.person("Bob"))
    office.context.processPendingChanges()
    #expect(acme.names("employees") == ["Ada"])
  }

  // Core Data: NSManagedObject.value(forKey:) of a to-many relationship.
  @Test(arguments: stores) func `an empty relationship has no objects`(kind: Kind) throws {
    let office = try Office(kind)
    let cyd = try office.person("Cyd")
    #expect(cyd.objects(forKey: "pets").isEmpty && cyd.count(forKey: "tags") == 0)
  }

  // Core Data: two contexts may add to the same relationship.
  @Test(arguments: stores) func `two contexts add to one relationship`(kind: Kind) throws {
    let office = try Office(kind)
    let other = office.anotherContext()
    try office.person("Ada").add(office.context.make("x", "Tag"), forKey: "tags")
    try other.named("Ada").add(other.make("y", "Tag"), forKey: "tags")
    try office.context.save()
    try other.save()
    #expect(try office.anotherContext().named("Ada").names("tags").sorted() == ["red", "x", "y"])
  }
}

@Suite struct `Ordered relationships` {
  // Core Data: NSRelationshipDescription.isOrdered: an ordered set keeps its order.
  @Test(arguments: stores) func `the order is kept in the store`(kind: Kind) throws {
    let office = try Office(kind)
    #expect(try office.person("Ada").names("favourites") == ["red", "green"])
    #expect(try office.context.named("Rex", "Pet").names("toys") == ["Ball", "Bone"])
  }

  // Core Data: NSMutableOrderedSet.add(_:): at the end.
  @Test(arguments: stores) func `an object is added at the end`(kind: Kind) throws {
    let office = try Office(kind)
    try office.person("Ada").add(office.context.named("blue", "Tag"), forKey: "favourites")
    try office.context.save()
    #expect(
      try office.anotherContext().named("Ada").names("favourites") == ["red", "green", "blue"])
  }

  // Core Data: NSMutableOrderedSet.insert(_:at:).
  @Test(arguments: stores) func `an object is inserted at an index`(kind: Kind) throws {
    let office = try Office(kind)
    let ada = try office.person("Ada")
    try ada.add(office.context.named("blue", "Tag"), forKey: "favourites", at: 1)
    #expect(ada.names("favourites") == ["red", "blue", "green"])
    try office.context.save()
    #expect(
      try office.anotherContext().named("Ada").names("favourites") == ["red", "blue", "green"])
  }

  // Core Data: NSMutableOrderedSet.moveObjects(at:to:).
  @Test(arguments: stores) func `an object is moved to another index`(kind: Kind) throws {
    let office = try Office(kind)
    let (ada, green) = (try office.person("Ada"), try office.context.named("green", "Tag"))
    try ada.add(green, forKey: "favourites", at: 0)
    #expect(ada.changedKeys == ["favourites"])
    try office.context.save()
    #expect(try office.anotherContext().named("Ada").names("favourites") == ["green", "red"])
  }

  // Core Data: NSMutableOrderedSet.remove(_:): the others keep their order.
  @Test(arguments: stores) func `removing keeps the order of the others`(kind: Kind) throws {
    let office = try Office(kind)
    let (ada, red) = (try office.person("Ada"), try office.context.named("red", "Tag"))
    try ada.add(office.context.named("blue", "Tag"), forKey: "favourites", at: 0)
    try ada.remove(red, forKey: "favourites")
    try office.context.save()
    #expect(try office.anotherContext().named("Ada").names("favourites") == ["blue", "green"])
  }

  // Core Data: an ordered one-to-many relationship has an order too.
  @Test(arguments: stores) func `an ordered one-to-many relationship is reordered`(kind: Kind)
    throws
  {
    let office = try Office(kind)
    let (rex, bone) = (
      try office.context.named("Rex", "Pet"), try office.context.named("Bone", "Toy")
    )
    try rex.add(bone, forKey: "toys", at: 0)
    try rex.add(office.context.make("Stick", "Toy"), forKey: "toys", at: 1)
    try office.context.save()
    #expect(
      try office.anotherContext().named("Rex", "Pet").names("toys") == ["Bone", "Stick", "Ball"])
  }

  // Core Data: a deleted object leaves an ordered relationship, the others keep their order.
  @Test(arguments: stores) func `a deleted object leaves an ordered relationship`(kind: Kind) throws
  {
    let office = try Office(kind)
    try office.person("Ada").add(office.context.named("blue", "Tag"), forKey: "favourites")
    try office.context.save()
    try office.context.delete(office.context.named("green", "Tag"))
    try office.context.save()
    #expect(try office.anotherContext().named("Ada").names("favourites") == ["red", "blue"])
  }

  // Core Data: adding through the inverse appends.
  @Test(arguments: stores) func `an object that is added at the inverse comes last`(kind: Kind)
    throws
  {
    let office = try Office(kind)
    let (ada, blue) = (try office.person("Ada"), try office.context.named("blue", "Tag"))
    try blue.add(ada, forKey: "fans")
    #expect(ada.names("favourites") == ["red", "green", "blue"])
    try office.context.save()
    #expect(
      try office.anotherContext().named("Ada").names("favourites") == ["red", "green", "blue"])
  }
}

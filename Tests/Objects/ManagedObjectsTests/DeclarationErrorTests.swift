import ManagedObjects
import ObjectModel
import Testing

/// A mistake in what classes declare is an error that says what is wrong, where, and what to do.
struct DeclarationErrorTests {
  @Test(
    arguments: [
      (
        [Owner.self],
        "Owner.pets leads to Bird, which is not among the classes of the model; add Bird.self."
      ),
      (
        [Owner.self, Bird.self, Owner.self],
        "Owner is listed twice among the classes of the model."
      ),
      (
        [Owner.self, Bird.self, Twin.self],
        "Owner and Twin both have the entity “Owner”; give one of them another entityName."
      ),
      (
        [Dog.self],
        "Dog is a subclass of Animal, which is not among the classes of the model; add Animal.self."
      ),
      (
        [Empty.self],
        "Empty declares no properties; list its keys in it:"
          + " static let properties: Properties = [name, …]."
      ),
      (
        [Thief.self],
        "Thief lists Bird.name among its properties, but a class lists only keys of its own; remove"
          + " it, or add the class of the key to the model if it is a superclass."
      ),
      (
        [Walker.self],
        "Walker lists Walker.pet.name among its properties, which leads through a relationship;"
          + " list only keys of its own."
      ),
      (
        [Keeper.self],
        "Keeper.things leads to ManagedObject, which has no entity; declare that it is an"
          + " EntityClass."
      ),
      (
        [Single.self],
        "Single.others is a to-many relationship with at most one object; declare it as a to-one"
          + " relationship, whose type is an optional."
      ),
      (
        [Crowd.self],
        "Crowd.others cannot have at least 5 and at most 3 objects; 0 is no limit."
      ),
      (
        [Rival.self, Prize.self],
        "Rival.won and Rival.lost have the same inverse Prize.owner, which can have only one; name"
          + " another inverse, or none."
      ),
      (
        [Left.self, Right.self],
        "Left.first has the inverse Right.left, but Right.left has the destination Left and the"
          + " inverse Left.second. Each must be the inverse of the other."
      ),
      (
        [Sum.self],
        "Sum.total is derived as “parts.@max.size”, which cannot be computed; write attributes of"
          + " the same object, or of one relationship, as in dvds.@count or owner.name."
      ),
      (
        [Pair.self],
        "A uniqueness constraint of Pair uses the attribute “size”, which does not exist."
      ),
      ([Doubled.self], "Doubled has two properties named “name”."),
    ] as [([any EntityClass.Type], String)])
  func `a mistake is named with what to do about it`(
    classes: [any EntityClass.Type], message: String
  ) {
    let error = #expect(throws: ModelError.self) {
      try ManagedObjectModel(entityClasses: classes)
    }
    #expect(error?.description == message)
  }
}

private final class Owner: ManagedObject, EntityClass {
  static let pets = RelationshipKey<Owner, Set<Bird>>("pets")
  static let properties: Properties = [pets]
}

private final class Bird: ManagedObject, EntityClass {
  static let name = AttributeKey<Bird, String>("name")
  static let properties: Properties = [name]
}

private final class Twin: ManagedObject, EntityClass {
  static let entityName = "Owner"
  static let name = AttributeKey<Twin, String>("name")
  static let properties: Properties = [name]
}

private class Animal: ManagedObject, EntityClass {
  static let name = AttributeKey<Animal, String>("name")
  class var properties: Properties { [name] }
}

private final class Dog: Animal {}

private final class Empty: ManagedObject, EntityClass {}

private final class Thief: ManagedObject, EntityClass {
  static let properties: Properties = [Bird.name]
}

private final class Walker: ManagedObject, EntityClass {
  static let pet = RelationshipKey<Walker, Bird?>("pet")
  static let properties: Properties = [pet.name]
}

private final class Keeper: ManagedObject, EntityClass {
  static let things = RelationshipKey<Keeper, Set<ManagedObject>>("things")
  static let properties: Properties = [things]
}

private final class Single: ManagedObject, EntityClass {
  static let others = RelationshipKey<Single, Set<Single>>("others")
  static let properties: Properties = [ToMany(others, maxCount: 1)]
}

private final class Crowd: ManagedObject, EntityClass {
  static let others = RelationshipKey<Crowd, Set<Crowd>>("others")
  static let properties: Properties = [ToMany(others, minCount: 5, maxCount: 3)]
}

private final class Rival: ManagedObject, EntityClass {
  static let won = RelationshipKey<Rival, Set<Prize>>("won")
  static let lost = RelationshipKey<Rival, Set<Prize>>("lost")
  static let properties: Properties = [
    ToMany(won, inverse: Prize.owner), ToMany(lost, inverse: Prize.owner),
  ]
}

private final class Prize: ManagedObject, EntityClass {
  static let owner = RelationshipKey<Prize, Rival?>("owner")
  static let properties: Properties = [owner]
}

private final class Left: ManagedObject, EntityClass {
  static let first = RelationshipKey<Left, Right?>("first")
  static let second = RelationshipKey<Left, Right?>("second")
  static let properties: Properties = [ToOne(first, inverse: Right.left), second]
}

private final class Right: ManagedObject, EntityClass {
  static let left = RelationshipKey<Right, Left?>("left")
  static let properties: Properties = [ToOne(left, inverse: Left.second)]
}

private final class Sum: ManagedObject, EntityClass {
  static let total = AttributeKey<Sum, Int?>("total")
  static let properties: Properties = [Attribute(total, derivation: "parts.@max.size")]
}

private final class Pair: ManagedObject, EntityClass {
  static let name = AttributeKey<Pair, String>("name")
  static let properties: Properties = [name, Unique("size")]
}

private final class Doubled: ManagedObject, EntityClass {
  static let name = AttributeKey<Doubled, String>("name")
  static let properties: Properties = [name, name]
}

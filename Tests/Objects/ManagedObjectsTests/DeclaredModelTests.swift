import Foundation
import ManagedObjects
import ObjectModel
import TestSupport
import Testing

/// Models that classes declare are those that a builder would make.
struct DeclaredModelTests {
  @Test func `classes declare the model that a builder writes out`() throws {
    let declared = try ManagedObjectModel(Owner.self, Disc.self)
    let written = ManagedObjectModel {
      Entity("Owner") {
        Attribute("username", .string, isOptional: false, isUnique: true, isIndexed: true)
        Attribute("name", .string)
        ToMany("discs", "Disc", inverse: "owner", deleteRule: .cascade, maxCount: 500)
      }
      Entity("Disc") {
        Attribute("title", .string, isOptional: false)
        Attribute("bought", .date)
        Attribute(
          "copies", .integer16, isOptional: false, default: 1, renamingIdentifier: "number",
          userInfo: ["unit": "pieces"])
        Attribute("kind", .string, isOptional: false, default: "dvd")
        Attribute("shelf", .string)
        Attribute("ownerName", .string, derivation: "owner.name")
        Attribute("note", .string, isTransient: true)
        ToOne("owner", "Owner", inverse: "discs", isOptional: false)
        ToMany("tracks", "Disc", isOrdered: true, isOptional: false, minCount: 2)
        Unique("title", "owner")
        FetchIndex("bought", "title")
        EntityOptions(renamingIdentifier: "DVD", userInfo: ["icon": "disc"])
      }
    }
    #expect(declared.entities.map(\.name) == ["Owner", "Disc"])
    for (found, wanted) in zip(declared.entities, written.entities) {
      #expect(found.attributes == wanted.attributes)
      #expect(found.relationships == wanted.relationships)
      #expect(found.uniquenessConstraints == wanted.uniquenessConstraints)
      var details = wanted.details
      details.className = wanted.name
      #expect(found.details == details)
    }
    let disc = try #require(declared.entity(named: "Disc"))
    #expect(disc.details.fetchIndexes.map(\.name) == ["byBoughtAndTitle"])
    #expect(disc.details.transientAttributes.map(\.name) == ["note"])
    #expect(disc.attribute(named: "ownerName")?.isReadOnly == true)
  }

  @Test func `the order of the classes does not matter to inverses`() throws {
    let model = try ManagedObjectModel(entityClasses: [Disc.self, Owner.self])
    let inverse = model.entity(named: "Disc")?.relationship(named: "owner")?.inverseName
    #expect(inverse == "discs")
  }

  @Test(arguments: [
    (Int.attributeType, AttributeType.integer64), (Int16.attributeType, .integer16),
    (Int32?.attributeType, .integer32), (Int64.attributeType, .integer64),
    (Double.attributeType, .double), (Float.attributeType, .float),
    (Decimal.attributeType, .decimal), (String?.attributeType, .string),
    (Bool.attributeType, .boolean), (Date.attributeType, .date),
    (Data.attributeType, .binaryData), (UUID.attributeType, .uuid), (URL.attributeType, .uri),
    (Value.attributeType, .undefined), (Kind?.attributeType, .string),
    (Level.attributeType, .integer16), (Point.attributeType, .string),
  ])
  func `a key's type is the attribute's`(found: AttributeType, wanted: AttributeType) {
    #expect(found == wanted)
  }

  @Test func `only optionals and values of any kind accept null`() {
    #expect(String?.acceptsNull && Kind?.acceptsNull && Value.acceptsNull)
    #expect(!String.acceptsNull && !Kind.acceptsNull && !Point.acceptsNull)
  }

  @Test func `a subclass adds its properties to those of its superclass`() throws {
    let model = try ManagedObjectModel(Novel.self, Book.self, Item.self, Leaflet.self)
    let item = try #require(model.entity(named: "Item"))
    #expect(item.isAbstract && item.attributes.map(\.name) == ["title"])
    let novel = try #require(model.entity(named: "Novel"))
    #expect(novel.superentityName == "Book" && !novel.isAbstract)
    #expect(novel.attributes.map(\.name) == ["title", "pages", "plot"])
    // It does not override what it inherits.
    let leaflet = try #require(model.entity(named: "Leaflet"))
    #expect(leaflet.superentityName == "Item" && !leaflet.isAbstract)
    #expect(leaflet.attributes.map(\.name) == ["title"])

    let context = makeContext(model)
    let object = try Novel.insert(into: context)
    (object[Novel.title], object[Novel.plot]) = ("Emma", "Matchmaking")
    (object as Book)[Book.pages] = 474
    try context.save()
    #expect(try Item.objects(where: Item.title == "Emma", in: context) == [object])
    #expect(throws: ManagedObjectError.self) { try Item.insert(into: context) }
  }

  @Test func `objects of declared classes keep the rules of the model`() throws {
    let context = makeContext(try ManagedObjectModel(Owner.self, Disc.self))
    let ada = try Owner.insert(into: context)
    (ada[Owner.username], ada[Owner.name]) = ("ada", "Ada")
    let disc = try Disc.insert(into: context)
    #expect(disc[Disc.copies] == 1 && disc[Disc.kind] == .dvd)
    disc[Disc.title] = "Alien"
    disc[Disc.tracks] = [disc]
    let error = #expect(throws: ManagedObjectError.self) { try context.save() }
    #expect(error?.problems.map(\.key) == ["owner", "tracks"])
    #expect(error?.problems.map(\.code) == [.missing, .tooFew])
    let other = try Disc.insert(into: context)
    (other[Disc.title], other[Disc.owner], disc[Disc.owner]) = ("Cube", ada, ada)
    disc[Disc.tracks] = [other, disc]
    other[Disc.tracks] = [disc, other]
    try context.save()
    #expect(ada[Owner.discs] == [disc, other])
    #expect(disc[Disc.ownerName] == "Ada")
    try context.delete(ada)
    try context.save()
    #expect(try context.count(for: FetchRequest<Disc>()) == 0)
  }
}

// MARK: What is declared

private enum Kind: String, AttributeValue {
  case dvd, bluRay
  static let missingValue = Kind.dvd
}

private enum Level: Int16, AttributeValue {
  case low, high
  static let missingValue = Level.low
}

/// A type that is not an enum.
private struct Point: AttributeValue {
  var x = 0
  init() {}
  init?(attributeValue: Value) { self.init() }
  var attributeValue: Value { .string("\(x)") }
  static var missingValue: Point { Point() }
}

private final class Owner: ManagedObject, EntityClass {
  static let username = AttributeKey<Owner, String>("username")
  static let name = AttributeKey<Owner, String?>("name")
  static let discs = RelationshipKey<Owner, Set<Disc>>("discs")
  static let properties: Properties = [
    Attribute(username, isUnique: true, isIndexed: true), name,
    ToMany(discs, inverse: Disc.owner, deleteRule: .cascade, maxCount: 500),
  ]
}

private final class Disc: ManagedObject, EntityClass {
  static let title = AttributeKey<Disc, String>("title")
  static let bought = AttributeKey<Disc, Date?>("bought")
  static let copies = AttributeKey<Disc, Int16>("copies")
  static let kind = AttributeKey<Disc, Kind>("kind")
  static let shelf = AttributeKey<Disc, String?>("shelf")
  static let ownerName = AttributeKey<Disc, String?>("ownerName")
  static let owner = RelationshipKey<Disc, Owner?>("owner")
  static let tracks = RelationshipKey<Disc, [Disc]>("tracks")
  static let properties: Properties = [
    title, bought,
    Attribute(copies, default: 1, renamingIdentifier: "number", userInfo: ["unit": "pieces"]),
    Attribute(kind, default: .dvd), shelf, Attribute(ownerName, derivation: "owner.name"),
    Attribute("note", .string, isTransient: true), ToOne(owner, isOptional: false),
    ToMany(tracks, minCount: 2), Unique(title, owner), FetchIndex(bought, title),
    EntityOptions(renamingIdentifier: "DVD", userInfo: ["icon": "disc"]),
  ]
}

private class Item: ManagedObject, EntityClass {
  static let title = AttributeKey<Item, String>("title")
  class var properties: Properties { [title, EntityOptions(isAbstract: true)] }
}

private class Book: Item {
  static let pages = AttributeKey<Book, Int>("pages")
  override class var properties: Properties { [pages] }
}

private final class Novel: Book {
  static let plot = AttributeKey<Novel, String?>("plot")
  override static var properties: Properties { super.properties + [plot] }
}

private final class Leaflet: Item {}

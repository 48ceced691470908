import Foundation
import ManagedObjects
import ObjectModel
import TestStores
import Testing

@Suite struct `Transformable attributes` {
  struct Address: Codable, Hashable {
    var street: String
    var city: String
    var height: Double?
  }

  struct Colour: Equatable {
    var red: UInt8
    var green: UInt8
  }

  struct ColourCodec: AttributeCodec {
    struct NoColour: Error {}

    func encode(_ content: Colour) throws -> Data { Data([content.red, content.green]) }

    func decode(_ data: Data) throws -> Colour {
      guard data.count == 2, let red = data.first, let green = data.last else { throw NoColour() }
      return Colour(red: red, green: green)
    }
  }

  class Person: ManagedObject, EntityClass {
    class var entityName: String { "Person" }
    static let address = TransformableKey<Person, Address>("address")
    static let colour = TransformableKey<Person, Colour>("colour")
    static let ownColour = TransformableKey<Person, Colour>("address", codec: ColourCodec())
    static let textColour = TransformableKey<Person, String>("colour")
    static let shape = TransformableKey<Person, Colour>("shape")
  }

  final class Student: Person {
    override class var entityName: String { "Student" }
  }

  private let ring = Address(street: "Ring 1", city: "Bonn")

  private func ada(_ context: ManagedObjectContext) throws -> Person {
    context.register([Person.self, Student.self])
    return try #require(try context.named("Ada") as? Person)
  }

  // Core Data: a value transformer makes the bytes of a value.
  @Test(arguments: stores) func `a Codable value is kept as JSON`(kind: Kind) throws {
    let office = try Office(kind)
    let ada = try ada(office.context)
    #expect(ada[Person.address] == nil)
    ada[Person.address] = ring
    #expect(ada[Person.address] == ring)
    #expect(ada.changedKeys == ["address"])
    try office.context.save()
    #expect(
      try office.stored("Ada", "address")
        == .data(Data(#"{"city":"Bonn","street":"Ring 1"}"#.utf8)))
    let other = try self.ada(office.anotherContext())
    #expect(try other.value(of: Person.address) == ring)
    other[Person.address] = nil
    #expect(other["address"] == .null)
    let cyd = try #require(try office.person("Cyd") as? Student)
    cyd[Person.address] = ring
    #expect(cyd[Person.address] == ring, "in a subclass")
    office.context.undoHistory.undo()
    #expect(cyd[Person.address] == nil)
  }

  // Core Data compares values, by isEqual.
  @Test(arguments: stores) func `an equal value is no change, however its bytes are written`(
    kind: Kind
  ) throws {
    let office = try Office(kind)
    let ada = try ada(office.context)
    let bytes = Value.data(Data(#"{ "street": "Ring 1",  "city": "Bonn" }"#.utf8))
    ada["address"] = bytes
    try office.context.save()
    ada[Person.address] = ring
    #expect(!office.context.hasChanges)
    ada[Person.address] = Address(street: "Ring 2", city: "Bonn")
    #expect(office.context.hasChanges)
    ada[Person.address] = ring
    #expect(!office.context.hasChanges)
    #expect(ada["address"] == bytes)
  }

  // Core Data: an object whose transformable value cannot be decoded cannot be saved or even fired.
  @Test(arguments: stores) func `bytes that do not decode are an error, and are kept`(kind: Kind)
    throws
  {
    let office = try Office(kind)
    var ada = try ada(office.context)
    let bytes = Value.data(Data(#"{"street": 7}"#.utf8))
    ada["address"] = bytes
    try office.context.save()
    ada = try self.ada(office.anotherContext())
    let error = try managedObjectError { _ = try ada.value(of: Person.address) }
    #expect(error.description.hasPrefix("reading Person.address: Ada: wrong type: its 13 bytes"))
    #expect(error.description.contains("are no Address: "))
    var reported: [any Error] = []
    ada.managedObjectContext?.onError = { reported.append($0) }
    #expect(ada[Person.address] == nil)
    #expect(reported.count == 1)
    ada["age"] = 37
    try ada.managedObjectContext?.save()
    #expect(try office.stored("Ada", "address") == bytes)
    ada[Person.address] = ring
    try ada.managedObjectContext?.save()
    #expect(try self.ada(office.anotherContext())[Person.address] == ring)
  }

  // Core Data: ValueTransformer.setValueTransformer(_:forName:).
  @Test(arguments: stores) func `a codec of its own is given to the key, or registered by name`(
    kind: Kind
  ) throws {
    AttributeCodecs.set(ColourCodec(), forName: "ContractColour")
    let office = try Office(kind)
    let ada = try ada(office.context)
    ada[Person.colour] = Colour(red: 1, green: 2)
    ada[Person.ownColour] = Colour(red: 3, green: 4)
    try office.context.save()
    #expect(try office.stored("Ada", "colour") == .data(Data([1, 2])))
    let other = try self.ada(office.anotherContext())
    #expect(other[Person.colour] == Colour(red: 1, green: 2))
    #expect(other[Person.ownColour] == Colour(red: 3, green: 4))
    let mismatch = try managedObjectError { _ = try other.value(of: Person.textColour) }
    #expect(mismatch.description.contains("transformer ContractColour is not for String"))
    let missing = try managedObjectError {
      try other.setValue(Colour(red: 0, green: 0), of: Person.shape)
    }
    #expect(
      missing.description.contains("no codec is registered for its value transformer Unregistered"))
    #expect(missing.description.contains("try: call AttributeCodecs.set"))
  }

  // A setter cannot throw: as for any other value, the next save does.
  @Test(arguments: stores) func `a value that cannot be encoded makes the next save throw`(
    kind: Kind
  ) throws {
    let office = try Office(kind)
    let ada = try ada(office.context)
    ada[Person.address] = Address(street: "", city: "", height: .nan)
    #expect(ada[Person.address] == nil)
    let error = try managedObjectError { try office.context.save() }
    #expect(error.description.contains("the Address cannot be encoded"))
    ada[Person.address] = ring
    try office.context.save()
  }

  // Core Data: a class declares nothing; here its key does.
  @Test func `a class declares it with its key`() throws {
    final class Place: ManagedObject, EntityClass {
      static let address = TransformableKey<Place, Address>("address")
      static let colour = TransformableKey<Place, Colour>("colour")
      static let properties: Properties = [
        address, Attribute(colour, isOptional: false, valueTransformerName: "ContractColour"),
      ]
    }
    let model = try ManagedObjectModel(Place.self)
    let place = try #require(model.entity(named: "Place"))
    #expect(place.attributes.map(\.type) == [.transformable, .transformable])
    #expect(place.attributes.map(\.isOptional) == [true, false])
    #expect(place.attributes[1].details.valueTransformerName == "ContractColour")
  }
}

import ManagedObjects
import ObjectModel
import TestStores
import Testing

@Suite struct `Awaking and turning into a fault` {
  /// A person that keeps its name in capitals, and counts the calls of its hooks.
  private final class Witness: ManagedObject {
    private(set) var capitals: String?
    private(set) var calls: [String] = []

    override func awakeFromFetch() {
      capitals = string("name").uppercased()
      calls.append("awake")
    }
    override func willTurnIntoFault() { calls.append("will \(string("name")) \(isFault)") }
    override func didTurnIntoFault() {
      capitals = nil
      calls.append("did \(isFault)")
    }
  }

  private func office(_ kind: Kind) throws -> Office {
    let office = try Office(kind)
    office.context.register(Witness.self, forEntity: "Person")
    return office
  }

  private func witness(_ name: String, _ office: Office) throws -> Witness {
    try #require(try office.person(name) as? Witness)
  }

  // Core Data: NSManagedObject.awakeFromFetch(): after the object was read, before it is used.
  @Test(arguments: stores) func `an object awakes when its first value is read`(kind: Kind) throws {
    let office = try office(kind)
    let id = try office.anotherContext().named("Ada").objectID
    let ada = try #require(office.context.object(with: id) as? Witness)
    #expect(ada.calls.isEmpty && ada.capitals == nil)
    #expect(ada["age"] == 36)
    #expect(ada.calls == ["awake"] && ada.capitals == "ADA")
  }

  // Core Data: NSManagedObject.awakeFromFetch(): once until it is a fault again.
  @Test(arguments: stores) func `an object awakes once`(kind: Kind) throws {
    let office = try office(kind)
    let ada = try witness("Ada", office)
    for _ in 1...3 {
      _ = (ada["name"], ada.object(forKey: "employer"), ada.truncatedValue(forKey: "age"))
    }
    ada["age"] = 1
    try office.context.save()
    #expect(ada.calls == ["awake"])
  }

  // Core Data: NSManagedObject.awakeFromFetch(): a change fires the fault too.
  @Test(arguments: stores) func `an object awakes before it is changed`(kind: Kind) throws {
    let office = try office(kind)
    let id = try office.anotherContext().named("Ada").objectID
    let ada = try #require(office.context.object(with: id) as? Witness)
    ada["name"] = "Ava"
    #expect(ada.calls == ["awake"] && ada.capitals == "ADA")
  }

  // Core Data: NSManagedObject.awakeFromFetch(): a to-one relationship is a property too.
  @Test(arguments: stores) func `an object awakes when its relationship is read`(kind: Kind) throws
  {
    let office = try office(kind)
    let id = try office.anotherContext().named("Bob").objectID
    let bob = try #require(office.context.object(with: id) as? Witness)
    _ = bob.object(forKey: "manager")
    #expect(bob.calls == ["awake"])
  }

  // Core Data: NSManagedObject.awakeFromInsert() is called in place of awakeFromFetch().
  @Test(arguments: stores) func `a new object does not awake from a fetch`(kind: Kind) throws {
    let office = try office(kind)
    let new = try #require(try office.context.make("New") as? Witness)
    _ = new["name"]
    try office.context.save()
    _ = new["name"]
    #expect(new.calls.isEmpty)
  }

  // Core Data: NSManagedObject.willTurnIntoFault(), didTurnIntoFault() by refresh(_:mergeChanges:).
  @Test(arguments: stores) func `a refresh calls the hooks, and the object awakes again`(kind: Kind)
    throws
  {
    let office = try office(kind)
    let ada = try witness("Ada", office)
    office.context.refresh(ada, mergeChanges: false)
    #expect(ada.calls == ["awake", "will Ada false", "did true"] && ada.capitals == nil)
    _ = ada["age"]
    #expect(ada.calls.count == 4 && ada.capitals == "ADA")
  }

  // Core Data: NSManagedObjectContext.refresh(_:mergeChanges: true): a changed object stays.
  @Test(arguments: stores) func `an object with changes that are merged is no fault`(kind: Kind)
    throws
  {
    let office = try office(kind)
    let ada = try witness("Ada", office)
    ada["age"] = 1
    office.context.refresh(ada, mergeChanges: true)
    #expect(ada.calls == ["awake"] && !ada.isFault)
  }

  // Core Data: NSManagedObjectContext.reset().
  @Test(arguments: stores) func `a reset turns all objects into faults`(kind: Kind) throws {
    let office = try office(kind)
    let people = try ["Ada", "Bob"].map { try witness($0, office) }
    office.context.reset()
    #expect(
      people.map(\.calls) == ["Ada", "Bob"].map { ["awake", "will \($0) false", "did true"] })
  }

  // Not in Core Data: the rows of all but some objects are evicted.
  @Test(arguments: stores) func `trimming turns the others into faults`(kind: Kind) throws {
    let office = try office(kind)
    let people = try ["Ada", "Bob", "Cyd"].map { try witness($0, office) }
    people[2]["age"] = 1
    office.context.trim(keeping: [people[0].objectID])
    #expect(people.map(\.calls.count) == [1, 3, 1])
    #expect(people.map(\.isFault) == [false, true, false])
  }

  // Core Data: an object that was never read does not turn into a fault.
  @Test(arguments: stores) func `a fault does not turn into a fault`(kind: Kind) throws {
    let office = try office(kind)
    let id = try office.anotherContext().named("Ada").objectID
    let ada = try #require(office.context.object(with: id) as? Witness)
    office.context.refresh(ada, mergeChanges: false)
    office.context.reset()
    #expect(ada.calls.isEmpty)
  }
}

import Foundation
import ManagedObjects
import ObjectModel
import Testing

/// How a person likes to be called.
private enum Title: String, AttributeValue {
  case doctor, none
  static let missingValue = Title.none
}

extension Person {
  fileprivate static let title = AttributeKey<Person, Title>("note")
}

struct TypedKeyTests {
  private let context = makeContext()

  private func person(_ name: String, age: Int? = nil) throws -> Person {
    let person = try Person.insert(into: context)
    person[Person.name] = name
    person[Person.age] = age
    return person
  }

  private func names(_ predicate: FetchPredicate) throws -> [String] {
    try Person.objects(where: predicate, sortedBy: [Person.name.ascending], in: context)
      .map { $0[Person.name] }
  }

  @Test func `attributes have the type of their key`() throws {
    let ada = try Person.insert(into: context)
    #expect((ada[Person.name], ada[Person.age], ada[Person.born]) == ("", 18, nil))
    ada[Person.name] = "Ada"
    ada[Person.age] = nil
    ada[Person.born] = Date(timeIntervalSinceReferenceDate: 1)
    #expect(ada[Person.name] == "Ada" && ada[Person.age] == nil)
    #expect(ada["born"] == .date(Date(timeIntervalSinceReferenceDate: 1)))
    #expect(ada[Person.title] == .none)
    ada[Person.title] = .doctor
    #expect(ada["note"] == "doctor" && ada[Person.title] == .doctor)
  }

  @Test func `relationships have the type of their key, and classes register themselves`() throws {
    let ada = try person("Ada")
    let company = try Company.insert(into: context)
    company[Company.name] = "Engines"
    let (rex, tom) = (try Pet.insert(into: context), try Pet.insert(into: context))
    ada[Person.employer] = company
    ada[Person.pets] = [rex, tom]
    let tags = [try Tag.insert(into: context), try Tag.insert(into: context)]
    ada[Person.favourites] = tags.reversed()
    try context.save()
    let fresh = ManagedObjectContext(coordinator: context.persistentStoreCoordinator)
    let found = try #require(try Person.object(where: Person.name == "Ada", in: fresh))
    #expect(found[Person.employer]?[Company.name] == "Engines")
    #expect(found[Person.employer.name] == "Engines")
    #expect(Set(found[Person.pets].map(\.objectID)) == [rex.objectID, tom.objectID])
    #expect(found[Person.favourites].map(\.objectID) == tags.reversed().map(\.objectID))
    found[Person.employer.name] = "Looms"
    #expect(found[Person.employer]?[Company.name] == "Looms")
    found[Person.employer] = nil
    #expect(found[Person.employer] == nil && found[Person.employer.employees] == [])
  }

  @Test func `keys make predicates and orders`() throws {
    let (ada, bob, eve) = (try person("Ada", age: 36), try person("Bob"), try person("Eve", age: 7))
    let company = try Company.insert(into: context)
    company[Company.name] = "Engines"
    ada[Person.employer] = company
    let rex = try Pet.insert(into: context)
    rex[Pet.name] = "Rex"
    eve[Person.pets] = [rex]
    bob[Person.manager] = ada
    for _ in 0..<2 {
      #expect(try names(Person.name == "Ada") == ["Ada"])
      #expect(try names(Person.name != "Ada") == ["Bob", "Eve"])
      #expect(try names(Person.age == nil) == ["Bob"])
      #expect(try names(Person.age > 7) == ["Ada"] && names(Person.age <= 7) == ["Eve"])
      #expect(try names(Person.name.isIn(["Ada", "Eve"])) == ["Ada", "Eve"])
      #expect(try names(Person.age.isBetween(1, 10)) == ["Eve"])
      #expect(try names(Person.name.contains("d", .cd) || Person.name.beginsWith("E")).count == 2)
      #expect(try names(Person.name.equals("ADA", .c)) == ["Ada"])
      #expect(try names(Person.employer == company) == ["Ada"])
      #expect(try names(Person.employer == company.objectID) == ["Ada"])
      #expect(try names(Person.employer == nil) == ["Bob", "Eve"])
      #expect(try names(Person.employer.name == "Engines") == ["Ada"])
      #expect(try names(Person.manager.employer.name == "Engines") == ["Bob"])
      #expect(try names(Person.manager.isIn([ada, eve])) == ["Bob"])
      #expect(try names(Person.pets.any.name == "Rex") == ["Eve"])
      #expect(try names(Person.pets.contains(rex)) == ["Eve"])
      #expect(try names(Person.pets.count == 0) == ["Ada", "Bob"])
      #expect(try names(AttributeKey<Person, String?>("name") == Person.note) == [])
      let sorted = try Person.objects(
        sortedBy: [Person.employer.name.descending, Person.name.descending], in: context)
      #expect(sorted.map { $0[Person.name] } == ["Ada", "Eve", "Bob"])
      try context.save()
    }
    #expect(SectionKey(Person.name, .initial) == SectionKey("name", .initial))
    #expect(Person.manager.name.ascending(by: .localized).keyPath == "manager.name")
  }

  @Test func `a name with a point is one name`() {
    let street = AttributeKey<Person, String?>("address.street")
    #expect(street.keyPath == "`address.street`" && street.name == "address.street")
  }

  @Test func `the keys of a class serve its subclasses`() throws {
    final class Boss: Person {}
    context.register(Boss.self, forEntity: "Person")
    let boss = try #require(try context.insert(entityName: "Person") as? Boss)
    boss[Boss.name] = "Ada"
    #expect(boss[Person.name] == "Ada")
  }

  @Test func `a value of another kind reads as missing`() throws {
    let ada = try Person.insert(into: context)
    ada["name"] = "Ada"
    let wrong = AttributeKey<Person, Int?>("name")
    let unknown = AttributeKey<Person, String>("nickname")
    #expect(ada[wrong] == nil && ada[unknown] == "")
  }
}

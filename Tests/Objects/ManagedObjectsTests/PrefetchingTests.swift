import Foundation
import ManagedObjects
import ObjectModel
import TestSupport
import Testing

/// Prefetched relationships and dictionary results.
struct PrefetchingTests {
  private let store = InstrumentedStore(InMemoryStore(model: peopleModel))
  private let context: ManagedObjectContext

  init() throws {
    context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    for number in 10..<30 {
      let person = try Person.insert(into: context)
      person[Person.name] = "Person \(number)"
      person[Person.age] = number / 10
      let company = try Company.insert(into: context)
      company[Company.name] = "Company \(number)"
      person[Person.employer] = company
      for index in 0..<3 {
        let pet = try Pet.insert(into: context)
        pet[Pet.name] = "Pet \(number).\(index)"
        pet[Pet.owner] = person
      }
    }
    try context.save()
    context.reset()
  }

  private func queries(_ body: () throws -> Void) rethrows -> (rows: Int, links: Int) {
    let before = store.counts
    try body()
    let after = store.counts
    return (after.snapshots - before.snapshots, after.destinations - before.destinations)
  }

  @Test func `a to-one relationship of 20 objects costs one query`() throws {
    var request = FetchRequest<Person>(sortDescriptors: [Person.name.ascending])
    let people = try context.fetch(request)
    let without = queries { for person in people { _ = person[Person.employer]?[Company.name] } }
    #expect(without.rows == 21)
    context.reset()
    request.prefetch(Person.employer)
    let with = try queries {
      let people = try context.fetch(request)
      #expect(people.map { $0[Person.employer.name] }.last == "Company 29")
    }
    // The rows of the people, and those of the companies.
    #expect(with.rows == 2 && with.links == 0)
  }

  @Test func `a to-many relationship of 20 objects costs one query, and one for its rows`() throws {
    var request = FetchRequest<Person>(sortDescriptors: [Person.name.ascending])
    let people = try context.fetch(request)
    let without = queries { for person in people { _ = person[Person.pets].map { $0[Pet.name] } } }
    #expect((without.links, without.rows) == (20, 20))
    context.reset()
    request.prefetch(Person.pets)
    let with = try queries {
      let names = try context.fetch(request).flatMap { $0[Person.pets].compactMap { $0[Pet.name] } }
      #expect(names.count == 60)
    }
    #expect(with.links == 1 && with.rows == 2)
  }

  @Test func `a path of relationships costs one query each, and what two have in common once`()
    throws
  {
    var request = FetchRequest<Pet>(sortDescriptors: [Pet.name.ascending])
    request.prefetch(Pet.owner.employer)
    request.prefetch(Pet.owner)
    request.prefetch(Pet.owner.pets)
    let with = try queries {
      for pet in try context.fetch(request) {
        #expect(pet[Pet.owner.employer.name] != nil && pet[Pet.owner.pets].count == 3)
      }
    }
    #expect(with.rows == 3 && with.links == 1)
  }

  @Test func `an unknown relationship is named`() throws {
    var request = FetchRequest<Person>()
    request.relationshipKeyPathsForPrefetching = ["employre"]
    let error = #expect(throws: ManagedObjectError.self) { try context.fetch(request) }
    #expect(error?.reason == .unknownKey && error?.remedy == "employer")
  }

  @Test func `unsaved changes are prefetched too`() throws {
    let person = try Person.insert(into: context)
    person[Person.name] = "Zoe"
    let pet = try Pet.insert(into: context)
    pet[Pet.name] = "Rex"
    pet[Pet.owner] = person
    var request = FetchRequest<Person>(sortDescriptors: [Person.name.descending])
    request.prefetch(Person.pets)
    #expect(try context.fetch(request).first?[Person.pets] == [pet])
  }

  @Test func `dictionary results have the properties that are asked for`() throws {
    var request = FetchRequest<Person>(sortDescriptors: [Person.name.ascending])
    request.fetchLimit = 2
    let found = try context.fetchDictionaries(
      request, propertiesToFetch: ["name", "employer.name"])
    #expect(
      found == [
        ["name": "Person 10", "employer.name": "Company 10"],
        ["name": "Person 11", "employer.name": "Company 11"],
      ])
    #expect(
      try context.fetchDictionaries(request)[0].keys.sorted() == ["age", "born", "name", "note"])
    let error = #expect(throws: ManagedObjectError.self) {
      try context.fetchDictionaries(request, propertiesToFetch: ["pets.name"])
    }
    #expect(error?.reason == .unknownKey && error?.description.contains("pets") == true)
  }

  @Test func `distinct values come once, and the limit counts them`() throws {
    let request = FetchRequest<Person>(sortDescriptors: [Person.age.descending])
    #expect(try context.fetchValues(Person.age, request, returnsDistinctResults: true) == [2, 1])
    #expect(try context.fetchValues(Person.age, request).count == 20)
    let person = try Person.insert(into: context)
    person[Person.age] = 3
    person[Person.name] = "Zoe"
    var limited = request
    limited.fetchLimit = 2
    #expect(try context.fetchValues(Person.age, limited, returnsDistinctResults: true) == [3, 2])
    limited.includesPendingChanges = false
    #expect(try context.fetchValues(Person.age, limited, returnsDistinctResults: true) == [2, 1])
  }

  @Test func `long values are fetched whole`() throws {
    let context = makeContext(
      ManagedObjectModel(entities: [
        EntityDescription(
          name: "Photo",
          attributes: [
            AttributeDescription("caption", .string),
            AttributeDescription("data", .binaryData, encoding: .externalData),
          ])
      ]), cutLength: 10)
    let (caption, data) = (String(repeating: "é", count: 100), Data(repeating: 7, count: 100))
    let photo = try context.insert(entityName: "Photo")
    photo["caption"] = .string(caption)
    photo["data"] = .data(data)
    try context.save()
    context.reset()
    let request = FetchRequest<ManagedObject>(entityName: "Photo")
    #expect(
      try context.fetchDictionaries(request)
        == [["caption": .string(caption), "data": .data(data)]])
  }
}

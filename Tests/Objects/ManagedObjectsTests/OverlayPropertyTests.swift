import ObjectModel
import TestSupport
import Testing

@testable import ManagedObjects

/// A fetch with unsaved changes returns what the store returns after the save.
struct OverlayPropertyTests {
  static let plans: [FetchPlan] = [
    FetchPlan(entityName: "Person"),
    FetchPlan(entityName: "Person", sortDescriptors: [.init("age")]),
    FetchPlan(
      entityName: "Person", sortDescriptors: [.init("age", ascending: false), .init("name")],
      sectionKey: SectionKey("age")),
    FetchPlan(
      entityName: "Person", sortDescriptors: [.init("name", comparison: .localized)],
      sectionKey: SectionKey("name", .initial), limit: 4, offset: 2),
    FetchPlan(
      entityName: "Person", predicate: predicate("Person", "age > 1"),
      sortDescriptors: [.init("note"), .init("age")], limit: 3),
    FetchPlan(
      entityName: "Person", predicate: predicate("Person", "employer.name != nil"),
      sortDescriptors: [.init("employer.name")], sectionKey: SectionKey("employer.name")),
    FetchPlan(entityName: "Person", predicate: predicate("Person", "ANY pets.name BEGINSWITH 'P'")),
    FetchPlan(
      entityName: "Person", predicate: predicate("Person", "pets.@count > 0 OR tags.@count > 1")),
    FetchPlan(
      entityName: "Person", predicate: predicate("Person", "ANY tags.name != nil"), offset: 1),
    FetchPlan(entityName: "Toy", sortDescriptors: [.init("pet.owner.name"), .init("name")]),
    FetchPlan(entityName: "Tag", predicate: predicate("Tag", "ANY people.age < 3")),
  ]

  private static func predicate(_ entityName: String, _ format: String) -> ValidatedPredicate? {
    try? FetchPredicate(format: format).validated(forEntity: entityName, in: peopleModel)
  }

  @Test(arguments: 0..<25 as Range<UInt64>)
  func `a fetch with unsaved changes returns what it returns after the save`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let context = makeContext()
    var work = RandomWork(context: context)
    for _ in 0..<8 {
      for _ in 0..<Int.random(in: 1..<12, using: &random) {
        try work.step(using: &random)
        if Bool.random(using: &random) { context.processPendingChanges() }
      }
      context.processPendingChanges()
      let before = try Self.plans.map { try context.fetchIDs($0) }
      let counts = try Self.plans.map { try context.count(for: $0) }
      let overlaid = try Self.plans.map { plan in
        try context.overlay(context.fetchStored(plan), for: plan)
      }
      #expect(overlaid == before)
      #expect(counts == before.map(\.ids.count))
      for fetched in before where !fetched.sections.isEmpty {
        #expect(fetched.sections.reduce(0) { $0 + $1.count } == fetched.ids.count)
      }
      do { try context.save() } catch {
        context.rollback()
        continue
      }
      for (plan, fetched) in zip(Self.plans, before) {
        let saved = try context.fetchIDs(plan)
        #expect(saved.sections == fetched.sections, "\(plan)")
        #expect(Array(saved.ids) == fetched.ids.map(context.resolve), "\(plan)")
      }
    }
  }

  @Test func `without unsaved changes the result of the store is unchanged`() throws {
    let store = InstrumentedStore(InMemoryStore(model: peopleModel, identifier: "test"))
    let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    let person = try context.make("Person", "Ada")
    try context.save()
    store.resetCounts()
    _ = try context.fetchIDs(Self.plans[2])
    person["note"] = "of no matter to the order by age"
    _ = try context.fetchIDs(Self.plans[2])
    #expect(store.counts.snapshots == 0 && store.counts.fetches == 2)
  }

  @Test func `a thousand inserted objects are sorted into a fetch with few queries`() throws {
    let store = InstrumentedStore(InMemoryStore(model: peopleModel, identifier: "test"))
    let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    for number in 0..<1_000 { try context.make("Person", "\(number * 7 % 1_000)") }
    try context.save()
    for number in 0..<1_000 { try context.make("Person", "\(number * 3 % 1_000)b") }
    context.trim(keeping: [])
    store.resetCounts()
    let plan = FetchPlan(entityName: "Person", sortDescriptors: [.init("name")])
    let ids = try context.fetchIDs(plan).ids
    #expect(store.counts.snapshots <= 12)
    let names = ids.map { context.object(with: $0).string("name") }
    #expect(names.count == 2_000 && names == names.sorted())
  }
}

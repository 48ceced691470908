import ManagedObjects
import ObjectModel
import SQLiteStore
import TestSupport
import Testing

@testable import FetchedResults

/// The first matches of a filter, looked for at the start of the list without it, are those that a
/// fetch finds.
struct ListStartTests {
  private static let orders: [([FetchSortDescriptor], SectionKey?)] = [
    ([FetchSortDescriptor("name", comparison: .localized)], SectionKey("name", .initial)),
    (
      [FetchSortDescriptor("age", ascending: false), FetchSortDescriptor("name")], SectionKey("age")
    ),
    ([FetchSortDescriptor("city.name"), FetchSortDescriptor("note")], nil),
    ([], nil),
  ]

  private let folder: TemporaryFolder
  private let people: People
  private var generator = SeededGenerator(seed: 7)

  /// Makes 3,000 people, many of them equal in what they are sorted by.
  init() throws {
    folder = try TemporaryFolder()
    people = try People(
      in: SQLiteStore.create(
        path: folder.path("people"), model: People.modelWithoutKey, layout: .plain))
    let cities = try ["Oulu", "Graz", "Żory"].map { try people.addCity(.string($0)) } + [nil]
    let names = ["Émile", "anna", "Bo", "Zoë", "明"]
    for number in 0..<3_000 {
      let person = try people.addPerson(
        generator.chance(oneIn: 9) ? .null : .string("\(generator.pick(names)) \(number % 7)"),
        age: generator.chance(oneIn: 9)
          ? .null : .integer(Int64.random(in: 0..<40, using: &generator)),
        in: generator.pick(cities))
      if number % 500 == 3 { person["note"] = "rare" }
    }
    try people.context.save()
  }

  @Test(arguments: 0..<4)
  func `the first matches are those of a fetch`(index: Int) throws {
    let (order, sectionKey) = Self.orders[index]
    let whole = try plan(nil, order, sectionKey, limit: nil)
    let start = try #require(try self.start(of: whole))
    var found = 0
    for text in [
      "name CONTAINS[cd] 'e'", "age > 20", "age == 7", "NOT name BEGINSWITH 'B'", "name == NULL",
      "city.name CONTAINS[cd] 'z'", "age < 39 AND city != NULL", "note == 'rare'", "FALSEPREDICATE",
    ] {
      for limit in [1, 8, 60] {
        let plan = try plan(text, order, sectionKey, limit: limit)
        guard let rows = try start.fetch(plan, from: people.store, control: FetchControl()) else {
          continue
        }
        found += 1
        #expect(try rows == people.store.fetch(plan, control: nil), "\(text), first \(limit)")
      }
    }
    #expect(found >= 15)
  }

  @Test func `only the start of the same list with a predicate is looked through`() throws {
    let order = [FetchSortDescriptor("name")]
    let whole = try plan(nil, order, limit: nil)
    let start = try #require(try self.start(of: whole))
    func isFound(_ plan: FetchPlan) throws -> Bool {
      try start.fetch(plan, from: people.store, control: FetchControl()) != nil
    }
    #expect(try isFound(plan("age > 3", order, limit: 60)))
    #expect(try !isFound(plan(nil, order, limit: 60)))
    #expect(try !isFound(plan("age > 3", order, limit: nil)))
    #expect(try !isFound(plan("age > 3", order, SectionKey("name"), limit: 60)))
    #expect(try !isFound(plan("age > 3", [FetchSortDescriptor("age")], limit: 60)))
    // Few matches are found sooner by a fetch than one by one.
    #expect(try !isFound(plan("note == 'rare'", order, limit: 60)))
    #expect(try self.start(of: plan("age > 3", order, limit: nil)) == nil)
    #expect(try self.start(of: plan(nil, order, limit: 60)) == nil)
    let list = try list(of: whole)
    #expect(ListStart(of: list, whole) == nil)
  }

  @Test func `a filter shows the first matches at once, then all, also after the next letter`()
    async throws
  {
    let controller = people.controller(by: [FetchSortDescriptor("name", comparison: .localized)])
    try controller.performFetch()
    let whole = try #require(controller.query?.plan)
    controller.start = try start(of: whole)
    for text in ["n", "nn"] {
      let wakes = Wakes()
      var request = controller.request
      request.fetchRequest.predicate = try FetchPredicate(format: "name CONTAINS[cd] '\(text)'")
      // What is looked through, and the first matches; all of them wait.
      people.store.isOpen = false
      people.store.letOneFetchPass()
      people.store.letOneFetchPass()
      try controller.set(request, firstScreen: 10, wake: wakes.wake)
      await wakes.next()
      #expect(controller.takeBackgroundResults())
      let first = try people.store.base.fetch(
        plan("name CONTAINS[cd] '\(text)'", whole.sortDescriptors, limit: 10), control: nil)
      #expect(controller.results?.ids == first.ids)
      people.store.isOpen = true
      await wakes.next()
      #expect(controller.takeBackgroundResults())
      #expect(controller.fetchState == .complete && controller.count > 100)
    }
  }

  @Test func `a filter is found in the list that was read, until the store changes`() async throws {
    let controller = people.controller(by: [FetchSortDescriptor("name", comparison: .localized)])
    let wakes = Wakes()
    func show(_ predicate: String?) async throws {
      var request = controller.request
      request.fetchRequest.predicate = try predicate.map { try FetchPredicate(format: $0) }
      try controller.set(request, firstScreen: 10, wake: wakes.wake)
      while controller.fetchState != .complete || controller.displayedRequest != request {
        await wakes.next()
        controller.takeBackgroundResults()
      }
      let plan = try plan(predicate, request.sortDescriptors, limit: nil)
      #expect(try controller.results?.ids == people.store.fetch(plan, control: nil).ids)
    }
    try controller.performFetch(firstScreen: 10, wake: wakes.wake)
    try await show(nil)
    let whole = try #require(controller.unfiltered?.results)
    #expect(whole.ids.count == 3_000)
    try await show("age > 20")
    try await show("age > 30")
    #expect(controller.unfiltered?.results == whole)
    try people.addPerson("Abel", age: .integer(33))
    try people.context.save()
    try await show("age > 32")
    #expect(controller.unfiltered == nil)
    try await show(nil)
    #expect(controller.unfiltered?.results.ids.count == 3_001)
  }

  // MARK: Lists

  private func plan(
    _ predicate: String?, _ order: [FetchSortDescriptor], _ sectionKey: SectionKey? = nil,
    limit: Int?
  ) throws -> FetchPlan {
    FetchPlan(
      entityName: "Person",
      predicate: try predicate.map {
        try FetchPredicate(format: $0).validated(forEntity: "Person", in: people.store.model)
      },
      sortDescriptors: order, sectionKey: sectionKey, limit: limit)
  }

  private func list(of plan: FetchPlan) throws -> ResultsSections {
    try ResultsSections(
      people.store.fetch(plan, control: nil), isSectioned: plan.sectionKey != nil)
  }

  private func start(of plan: FetchPlan) throws -> ListStart? {
    try ListStart(of: list(of: plan), plan, leastCount: 1)
  }
}

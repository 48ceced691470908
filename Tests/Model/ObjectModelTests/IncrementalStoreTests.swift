import ObjectModel
import Synchronization
import TestSupport
import Testing

/// A store over a service, which does some parts of a fetch and counts its calls.
private final class Service: IncrementalStore {
  let base: InMemoryStore
  let parts: PartialFetch.Parts
  let sendsRows: Bool
  let calls = Atomic(0)
  let readRows = Atomic(0)
  /// How many calls are answered; the others fail, as without a network.
  let answeredCalls = Atomic(Int.max)

  init(_ base: InMemoryStore, _ parts: PartialFetch.Parts, sendsRows: Bool) {
    (self.base, self.parts, self.sendsRows) = (base, parts, sendsRows)
  }

  var identifier: String { base.identifier }
  var model: ManagedObjectModel { base.model }
  var summary: StoreSummary { StoreSummary(name: "service", kind: "Service") }

  func answer(_ plan: FetchPlan, control: FetchControl?) throws(StoreError) -> PartialFetch {
    try call()
    var asked = FetchPlan(entityName: plan.entityName)
    asked.includesSubentities = plan.includesSubentities
    if parts.contains(.predicate) { asked.predicate = plan.predicate }
    if parts.contains(.order) { asked.sortDescriptors = plan.sortDescriptors }
    if parts.contains(.window) {
      (asked.limit, asked.offset, asked.isFromEnd) = (plan.limit, plan.offset, plan.isFromEnd)
    }
    var ids = Array(try base.fetch(asked, control: nil).ids)
    if !parts.contains(.order) { ids.reverse() }
    return PartialFetch(
      ids: ids, parts: parts, rows: sendsRows ? try base.rows(of: ids).compactMap(\.self) : [])
  }

  private func call() throws(StoreError) {
    let count = calls.add(1, ordering: .relaxed).newValue
    if count > answeredCalls.load(ordering: .relaxed) {
      throw StoreError(.other, doing: "asking the service", detail: "no answer")
    }
  }

  func rows(of ids: [ObjectID]) throws(StoreError) -> [RowSnapshot?] {
    try call()
    readRows.add(ids.count, ordering: .relaxed)
    return try base.rows(of: ids)
  }

  func destinations(of relationship: String, from ids: [ObjectID]) throws(StoreError)
    -> [ObjectID: [ObjectID]]
  {
    try call()
    return try base.destinations(of: relationship, from: ids)
  }
}

struct IncrementalStoreTests {
  private static let model = ManagedObjectModel {
    Entity("Person") {
      Attribute("name", .string)
      Attribute("age", .integer64)
      ToOne("city", "City", inverse: "people")
      ToMany("friends", "Person", inverse: "friends")
    }
    Entity("Student", extends: "Person") { Attribute("school", .string) }
    Entity("City") {
      Attribute("name", .string)
      ToMany("people", "Person", inverse: "city")
    }
  }

  private func people(_ count: Int) throws -> InMemoryStore {
    let store = InMemoryStore(model: Self.model, identifier: "test")
    func new(_ entityName: String, _ number: Int) -> ObjectID {
      ObjectID(storeIdentifier: "", entityName: entityName, key: .temporary(UInt64(number)))
    }
    let cities = (0..<7).map { new("City", 1_000_000 + $0) }
    let ids = (0..<count).map { new($0 % 5 == 0 ? "Student" : "Person", $0 + 1) }
    var inserted = cities.enumerated().map { number, id in
      RowChange(id: id, values: ["name": number == 3 ? .null : .string("City \(number % 5)")])
    }
    for (number, id) in ids.enumerated() {
      let name: Value = number % 11 == 0 ? .null : .string("n\(number * 37 % 101)")
      inserted.append(
        RowChange(
          id: id, values: ["name": name, "age": .integer(Int64(number % 13))],
          toOne: ["city": number % 6 == 0 ? nil : cities[number % 7]]))
    }
    let links = (1..<count).map { ObjectLink("friends", from: ids[$0], to: ids[$0 / 2]) }
    _ = try store.save(SaveRequest(inserted: inserted, linked: links))
    return store
  }

  private static let plans: [(String?, [String], String?)] = [
    (nil, [], nil), ("age > 6", ["name"], nil), (nil, ["city.name", "name"], "city.name"),
    ("city.name == 'City 1'", ["age"], "age"), ("ANY friends.age < 3", [], nil),
    ("friends.@count > 1 AND name != NULL", ["name"], nil),
    ("SUBQUERY(friends, $f, $f.city.name == 'City 2').@count > 0", ["name"], nil),
  ]

  @Test(
    arguments: [[], .predicate, .order, [.predicate, .order], .all] as [PartialFetch.Parts])
  func `what the store leaves of a fetch is evaluated here`(parts: PartialFetch.Parts) throws {
    let base = try people(100)
    for sendsRows in [true, false] {
      let service = Service(base, parts, sendsRows: sendsRows)
      #expect(try StoreContract(service).violations() == [])
      for (format, sorts, section) in Self.plans {
        for (limit, offset, isFromEnd) in [(nil, 0, false), (7, 3, false), (7, 3, true)] {
          var plan = FetchPlan(
            entityName: "Person", sortDescriptors: sorts.map { FetchSortDescriptor($0) },
            sectionKey: section.map { SectionKey($0) }, limit: limit, offset: offset,
            isFromEnd: isFromEnd)
          plan.predicate = try format.map {
            try FetchPredicate(format: $0).validated(forEntity: "Person", in: Self.model)
          }
          let evaluation = try service.evaluation(of: plan)
          #expect(evaluation.fetched == (try base.fetch(plan, control: nil)), "\(plan)")
          let isDone =
            (parts.contains(.predicate) || format == nil)
            && (parts.contains(.order) || sorts == []) && section == nil
          #expect((evaluation.evaluatedRowCount == 0) == isDone, "\(plan)")
        }
      }
    }
  }

  @Test func `rows are asked for in batches, also those that key paths lead to`() throws {
    let base = try people(2_000)
    let service = Service(base, [], sendsRows: false)
    var plan = FetchPlan(
      entityName: "Person",
      sortDescriptors: [FetchSortDescriptor("city.name"), FetchSortDescriptor("name")])
    plan.predicate = try FetchPredicate(format: "ANY friends.age > 3 OR city.name == 'City 1'")
      .validated(forEntity: "Person", in: Self.model)
    let evaluation = try service.evaluation(of: plan)
    #expect(evaluation.evaluatedRowCount == 2_000)
    // One answer, five batches of rows, and of each relationship as many.
    #expect(service.calls.load(ordering: .relaxed) <= 20)
    #expect(service.readRows.load(ordering: .relaxed) == 2_007)
    let first = try #require(evaluation.fetched.ids.first)
    #expect(try service.value(of: "name", for: first) == base.value(of: "name", for: first))
  }

  @Test func `a fetch ends when it is cancelled, and an entity that is not there is refused`()
    throws
  {
    let service = Service(try people(10), [], sendsRows: false)
    let control = FetchControl()
    control.cancel()
    let plan = FetchPlan(entityName: "Person", sortDescriptors: [FetchSortDescriptor("name")])
    let error = #expect(throws: StoreError.self) { try service.fetch(plan, control: control) }
    #expect(error?.reason == .cancelled)
    let unknown = #expect(throws: StoreError.self) {
      try service.fetch(FetchPlan(entityName: "Planet"), control: nil)
    }
    #expect(unknown?.reason == .unknownName)
  }

  @Test func `what cannot be read while a predicate is evaluated is an error, not another result`()
    throws
  {
    let base = try people(60)
    var plan = FetchPlan(entityName: "Person")
    plan.predicate = try FetchPredicate(
      format: "SUBQUERY(friends, $f, $f.city.name == 'City 2').@count > 0"
    ).validated(forEntity: "Person", in: Self.model)
    let whole = Service(base, [], sendsRows: false)
    _ = try whole.fetch(plan, control: nil)
    let count = whole.calls.load(ordering: .relaxed)
    for answered in 0..<count {
      let service = Service(base, [], sendsRows: false)
      service.answeredCalls.store(answered, ordering: .relaxed)
      let error = #expect(throws: StoreError.self, "after \(answered) calls of \(count)") {
        try service.fetch(plan, control: nil)
      }
      #expect(error?.detail == "no answer")
    }
  }
}

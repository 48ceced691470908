import Foundation
import ManagedObjects
import ObjectModel
import RESTStore
import Synchronization
import TestSupport
import Testing

@Suite struct RESTStoreTests {
  @Test(arguments: ServedStore.Cache.allCases)
  func `pages are read into the cache, one request a page, and answer all fetches`(
    _ cache: ServedStore.Cache
  ) throws {
    let service = TestService(pageSize: 10)
    for number in 1...35 { service.add("P\(number)", age: Int64(number)) }
    let served = try ServedStore(service, cache)
    try served.store.update(for: FetchPlan(entityName: "Person"))
    #expect(service.requests().count == 4)
    let plan = FetchPlan(
      entityName: "Person",
      predicate: try FetchPredicate(format: "age > 30").validated(
        forEntity: "Person", in: served.store.model),
      sortDescriptors: [FetchSortDescriptor("age", ascending: false)])
    #expect(
      try Array(served.store.fetch(plan, control: nil).ids)
        == [35, 34, 33, 32, 31].map {
          served.id($0)
        })
    #expect(try served.store.count(plan, control: nil) == 5)
    #expect(service.requests().count == 4)
    #expect(try StoreContract(served.store).violations() == [])
  }

  @Test(arguments: ServedStore.Cache.allCases)
  func `relationships lead to objects that come later, also from other pages`(
    _ cache: ServedStore.Cache
  ) throws {
    let service = TestService(pageSize: 2)
    let ada = service.add("Ada")
    let discs = (1...5).map { service.addDisc("D\($0)", of: $0 < 5 ? ada : nil) }
    let served = try ServedStore(service, cache)
    try served.store.update(for: FetchPlan(entityName: "Disc"))
    #expect(try served.store.rows(of: [served.id(ada)]) == [nil])
    try served.store.update(for: FetchPlan(entityName: "Person"))
    let found = try served.store.destinations(of: "discs", from: [served.id(ada)])
    #expect(found[served.id(ada)] == discs.prefix(4).map { served.id($0, "Disc") })
    let context = served.context()
    let disc = context.object(with: served.id(discs[0], "Disc"))
    #expect(disc.object(forKey: "owner")?.value(forKey: "name") == "Ada")
    #expect(try StoreContract(served.store).violations() == [])
  }

  @Test(arguments: ServedStore.Cache.allCases, [false, true])
  func `changes, insertions and deletions of the service arrive`(
    _ cache: ServedStore.Cache, _ hasChanges: Bool
  ) throws {
    let service = TestService(pageSize: 3, hasChanges: hasChanges)
    for name in ["Ada", "Bob", "Cyd", "Dan", "Eve", "Fay", "Gus"] { service.add(name) }
    let served = try ServedStore(service, cache)
    try served.update()
    service.set(2, "name", "Bill")
    service.delete(3)
    service.add("Hal")
    service.forgetRequests()
    try served.store.update(for: FetchPlan(entityName: "Person"))
    #expect(try served.names() == ["Ada", "Bill", "Dan", "Eve", "Fay", "Gus", "Hal"])
    // Of the deleted one is asked: a page may have missed it.
    #expect(service.requests().count == (hasChanges ? 1 : 4))
  }

  @Test func `an object that no page had but that exists is not taken for deleted`() throws {
    let service = TestService(pageSize: 2)
    for name in ["Ada", "Bob", "Cyd"] { service.add(name) }
    let served = try ServedStore(service)
    try served.update()
    service.fail(
      .answer(HTTPResponse(status: 200, body: Data(#"[{"id": 1, "name": "Ada"}]"#.utf8))))
    try served.store.update(for: FetchPlan(entityName: "Person"))
    #expect(try served.names() == ["Ada", "Bob", "Cyd"])
  }

  // MARK: Saving

  @Test(
    arguments: ServedStore.Cache.allCases,
    [(false, false), (false, true), (true, false), (true, true)])
  func `a save goes to the service, whose answer is what the context has`(
    _ cache: ServedStore.Cache, _ answers: (hasVersions: Bool, isBlank: Bool)
  ) throws {
    let service = TestService(hasVersions: answers.hasVersions, isBlank: answers.isBlank)
    let bob = service.add("Bob", age: 3)
    let eve = service.add("Eve")
    let served = try ServedStore(service, cache)
    try served.update()
    let context = served.context()
    let ada = try context.insert(entityName: "Person")
    try ada.setValue("Ada", forKey: "name")
    try ada.setValue(.date(Date(timeIntervalSince1970: 1_000_000_000)), forKey: "createdAt")
    let disc = try context.insert(entityName: "Disc")
    try disc.setValue("Alien", forKey: "title")
    try disc.setObject(ada, forKey: "owner")
    try context.object(with: served.id(bob)).setValue(4, forKey: "age")
    try context.delete(context.object(with: served.id(eve)))
    try context.save()
    #expect(!context.hasChanges)
    let tables = service.state.withLock { $0.tables }
    #expect(service.names() == ["Ada", "Bob"])
    #expect(tables["people"]?[bob]?.values["age"] == 4)
    #expect(
      tables["people"]?[ada.objectID.key.number]?.values["created_at"] == "2001-09-09T01:46:40Z")
    #expect(
      tables["discs"]?[disc.objectID.key.number]?.values["owner_id"]
        == .integer(ada.objectID.key.number))
    #expect(try served.names() == ["Ada", "Bob"])
    service.forgetRequests()
    try served.update()
    #expect(try served.names() == ["Ada", "Bob"])
    #expect(
      try served.store.destinations(of: "discs", from: [ada.objectID]) == [
        ada.objectID: [disc.objectID]
      ])
    // Saved once more: the versions are those of the answers.
    try ada.setValue("Ada Lovelace", forKey: "name")
    try context.save()
    #expect(service.names() == ["Ada Lovelace", "Bob"])
  }

  @Test func `undo brings a deleted object back in the service, after the save too`() throws {
    let service = TestService()
    service.add("Ada", age: 3)
    let served = try ServedStore(service)
    try served.update()
    let context = served.context()
    try context.delete(context.object(with: served.id(1)))
    try context.save()
    #expect(service.names() == [])
    context.undoHistory.undo()
    try context.save()
    #expect(service.names() == ["Ada"])
    #expect(service.state.withLock { $0.tables["people"]?[1]?.values["age"] } == 3)
    #expect(try served.names() == ["Ada"])
  }

  @Test func `a refusal leaves the context as it was, with the words of the service`() throws {
    let service = TestService()
    service.add("Ada")
    let served = try ServedStore(service)
    try served.update()
    let context = served.context()
    let ada = context.object(with: served.id(1))
    try ada.setValue("", forKey: "name")
    let error = #expect(throws: ManagedObjectError.self) { try context.save() }
    #expect(error?.reason == .validation)
    #expect(error?.problems.map(\.key) == ["name"])
    #expect(error?.problems.map(\.message) == ["must not be blank"])
    #expect(error?.problems.map(\.objectID) == [ada.objectID])
    #expect(context.hasChanges)
    #expect(try served.names() == ["Ada"])
  }

  @Test(arguments: [true, false])
  func `what somebody else has changed meanwhile is a conflict`(_ hasVersions: Bool) throws {
    let service = TestService(hasVersions: hasVersions)
    service.add("Ada", age: 1)
    let served = try ServedStore(service)
    try served.update()
    let context = served.context()
    let ada = context.object(with: served.id(1))
    try ada.setValue(2, forKey: "age")
    service.set(1, "name", "Ada L.")
    service.set(1, "age", 9)
    let error = #expect(throws: ManagedObjectError.self) { try context.save() }
    #expect(error?.reason == .conflict)
    #expect(error?.mergeConflicts.count == 1)
    #expect(service.state.withLock { $0.tables["people"]?[1]?.values["age"] } == 9)
    context.mergePolicy = .mergeByPropertyObjectTrump
    try context.save()
    let values = service.state.withLock { $0.tables["people"]?[1]?.values }
    #expect(values?["age"] == 2)
    #expect(values?["name"] == "Ada L.")
  }

  @Test func `without a network nothing is saved, and nothing is lost`() throws {
    let service = TestService()
    service.add("Ada")
    let served = try ServedStore(service)
    try served.update()
    let context = served.context()
    try context.object(with: served.id(1)).setValue("Eve", forKey: "name")
    service.fail(.unreachable)
    let error = #expect(throws: ManagedObjectError.self) { try context.save() }
    #expect(error?.storeError?.reason == .unreachable)
    #expect(context.hasChanges)
    #expect(service.names() == ["Ada"])
    try context.save()
    #expect(service.names() == ["Eve"])
  }

  enum Lost: CaseIterable, Sendable { case before, after, status }

  @Test(arguments: Lost.allCases, [(false, false), (false, true), (true, false), (true, true)])
  func `a lost answer is looked up before anything is sent twice`(
    _ lost: Lost, _ can: (beIdempotent: Bool, haveVersions: Bool)
  ) throws {
    let service = TestService(hasVersions: can.haveVersions, isIdempotent: can.beIdempotent)
    service.add("Ada", age: 1)
    service.add("Bob")
    service.add("Cyd")
    let served = try ServedStore(service)
    try served.update()
    let context = served.context()
    try context.object(with: served.id(1)).setValue(2, forKey: "age")
    try context.delete(context.object(with: served.id(2)))
    let dan = try context.insert(entityName: "Person")
    try dan.setValue("Dan", forKey: "name")
    for method in ["POST", "PATCH", "DELETE"] {
      let fault: TestService.Fault =
        switch lost {
        case .before: .lostBefore
        case .after: .lostAfter
        case .status: .statusAfter(500)
        }
      service.fail(fault) { $0.method == method }
    }
    try context.save()
    #expect(service.names() == ["Ada", "Cyd", "Dan"])
    #expect(service.state.withLock { $0.tables["people"]?[1]?.version } == 2)
    try served.update()
    #expect(try served.names() == ["Ada", "Cyd", "Dan"])
    #expect(dan.value(forKey: "name") == "Dan")
  }

  @Test
  func `a save whose answer nobody waits for may be done, and is not sent twice`()
    throws
  {
    let service = TestService()
    let served = try ServedStore(service)
    try served.update()
    let context = served.context()
    let ada = try context.insert(entityName: "Person")
    try ada.setValue("Ada", forKey: "name")
    service.fail(.stoppedAfter) { $0.method == "POST" }
    let error = #expect(throws: ManagedObjectError.self) {
      try FetchControl.$current.withValue(FetchControl()) { try context.save() }
    }
    #expect(error?.storeError?.reason == .other)
    #expect(error?.description.contains("you have stopped waiting for the service") == true)
    #expect(error?.description.contains("it is not known whether it was saved there") == true)
    #expect(context.hasChanges)
    try context.save()
    #expect(service.requests("POST").count == 1)
    #expect(try served.names() == ["Ada"])
  }

  @Test func `of two new objects that are alike both are created, though an answer is lost`() throws
  {
    let service = TestService()
    let served = try ServedStore(service)
    try served.update()
    let context = served.context()
    for _ in 0..<2 {
      let ada = try context.insert(entityName: "Person")
      try ada.setValue("Ada", forKey: "name")
    }
    let count = Mutex(0)
    service.fail(.lostBefore) { request in
      count.withLock { count in
        if request.method == "POST" { count += 1 }
        return count == 2
      }
    }
    try context.save()
    #expect(service.names() == ["Ada", "Ada"])
    #expect(try served.names() == ["Ada", "Ada"])
  }

  @Test
  func `a new object whose answer was lost is looked for by its values, if the service filters`()
    throws
  {
    let service = TestService()
    for name in ["Ada", "Bob"] { service.add(name) }
    let served = try ServedStore(service, capabilities: .filter)
    try served.update()
    let context = served.context()
    let cyd = try context.insert(entityName: "Person")
    try cyd.setValue("Cyd", forKey: "name")
    service.fail(.lostAfter) { $0.method == "POST" }
    service.forgetRequests()
    try context.save()
    #expect(service.requests("POST").count == 1)
    #expect(service.requests("GET").map(\.url.query) == ["name=Cyd"])
  }

  @Test func `an object that cannot be read after it was created is not created again`() throws {
    let service = TestService(isBlank: true)
    let served = try ServedStore(service)
    try served.update()
    let context = served.context()
    let ada = try context.insert(entityName: "Person")
    try ada.setValue("Ada", forKey: "name")
    service.fail(.unreachable) { $0.method == "GET" && $0.url.path.hasSuffix("/1") }
    service.fail(.unreachable) { $0.method == "GET" }
    #expect(throws: ManagedObjectError.self) { try context.save() }
    service.state.withLock { $0.faults = [] }
    try context.save()
    #expect(service.requests("POST").count == 1)
    #expect(service.names() == ["Ada"])
  }

  enum GivingUp: CaseIterable, Sendable { case rollback, discard, undo, reset, release }

  @Test(arguments: GivingUp.allCases) @MainActor
  func `what the service did of a save that is given up is shown`(_ way: GivingUp) async throws {
    let service = TestService(hasChanges: true)
    service.add("Ada")
    let served = try ServedStore(service)
    try served.update()
    var context: ManagedObjectContext? = served.context()
    let id = try give(way, up: try #require(context), served)
    if way == .release { context = nil }
    try served.update()
    try await until { try served.names() == ["Ada", "Bob"] }
    // What was given up is not taken for done when somebody does the same again.
    guard let context else { return }
    let bob = context.object(with: served.id(id))
    #expect(bob.value(forKey: "name") == "Bob")
    try bob.setValue("Bert", forKey: "name")
    try context.save()
    #expect(service.names() == ["Ada", "Bert"])
  }

  /// Saves a new person, and one whose name the service refuses; gives both up, and returns the key
  /// of the new one.
  @MainActor
  private func give(_ way: GivingUp, up context: ManagedObjectContext, _ served: ServedStore) throws
    -> Int64
  {
    let bob = try context.insert(entityName: "Person")
    try bob.setValue("Bob", forKey: "name")
    let ada = context.object(with: served.id(1))
    try ada.setValue("", forKey: "name")
    #expect(throws: ManagedObjectError.self) { try context.save() }
    try served.update()
    #expect(try served.names() == ["Ada"])
    switch way {
    case .rollback: context.rollback()
    case .discard: context.discardChanges(of: [bob.objectID, ada.objectID])
    case .undo: context.undoHistory.undo()
    case .reset: context.reset()
    case .release: break
    }
    #expect(way == .release || !context.hasChanges)
    return 2
  }

  @Test func `what the service did before it refused something is not sent again`() throws {
    let service = TestService()
    service.add("Ada")
    let served = try ServedStore(service)
    try served.update()
    let context = served.context()
    let bob = try context.insert(entityName: "Person")
    try bob.setValue("Bob", forKey: "name")
    let ada = context.object(with: served.id(1))
    try ada.setValue("", forKey: "name")
    #expect(throws: ManagedObjectError.self) { try context.save() }
    #expect(service.names() == ["Ada", "Bob"].sorted())
    try served.update()
    #expect(try served.names() == ["Ada"])
    try ada.setValue("Ada L.", forKey: "name")
    try context.save()
    #expect(service.requests("POST").count == 1)
    #expect(service.names() == ["Ada L.", "Bob"])
    try served.update()
    #expect(try served.names() == ["Ada L.", "Bob"])
  }
}

extension ObjectKey {
  fileprivate var number: Int64 { if case .integer(let number) = self { number } else { 0 } }
}

import Foundation
import ManagedObjects
import ObjectModel
import RESTStore
import Synchronization
import TestSupport
import Testing

/// A cache that follows its service behind what is shown.
@Suite @MainActor struct FollowingTests {
  private let plan = FetchPlan(
    entityName: "Person", sortDescriptors: [FetchSortDescriptor("name")])

  private func served(
    _ service: TestService, _ cache: ServedStore.Cache = .memory,
    capabilities: RESTCapabilities = [], age: Double = 100_000
  ) throws -> ServedStore {
    try ServedStore(service, cache, capabilities: capabilities) {
      ($0.updatesBehind, $0.maximumAge) = (true, age)
    }
  }

  @Test(arguments: ServedStore.Cache.allCases)
  func `a fetch is answered at once, and observers are told as pages come`(
    _ cache: ServedStore.Cache
  ) async throws {
    let service = TestService(pageSize: 10)
    for number in 1...35 { service.add("P\(number)") }
    let served = try served(service, cache, capabilities: .order)
    let told = Mutex(0)
    let observation = served.store.observeForeignChanges { told.withLock { $0 += 1 } }
    defer { observation.cancel() }
    // The service cannot answer meanwhile.
    let count = try service.state.withLock { _ in
      try served.store.fetch(plan, control: nil).ids.count
    }
    #expect(count == 0)
    try await until { served.store.freshness.hasSuffix("min old") }
    #expect(try served.store.fetch(plan, control: nil).ids.count == 35)
    // Of the first page at once, of others that come soon after it together, and of the end.
    #expect((3...5).contains(told.withLock { $0 }))
    // The first page is the first screen, and each page is one request.
    #expect(service.requests().first?.url.query == "sort=name")
    #expect(service.requests().count == 4)
    #expect(service.state.withLock { $0.mostAtOnce } <= 4)
  }

  @Test func `the first screen of a long list is there after two requests, and each page is one`()
    async throws
  {
    let service = TestService(pageSize: 20)
    for number in 1...1_140 { service.add("P\(number)") }
    let served = try served(service, .file, capabilities: .order)
    let store = served.store
    let first = Mutex<(rows: Int, requests: Int)?>(nil)
    let observation = store.observeForeignChanges { [plan] in
      let rows = (try? store.base.count(plan, control: nil)) ?? 0
      let requests = service.requests().count
      first.withLock { if $0 == nil, rows > 0 { $0 = (rows, requests) } }
    }
    defer { observation.cancel() }
    _ = try store.fetch(plan, control: nil)
    try await until { store.freshness.hasSuffix("min old") }
    #expect(try served.names().count == 1_140)
    let screen = try #require(first.withLock { $0 })
    #expect(screen.rows >= 20 && screen.requests <= 2)
    #expect(service.requests().count == 57)
  }

  @Test func `what changes in the service changes the objects of a context`() async throws {
    let service = TestService(pageSize: 2)
    for name in ["Bob", "Cyd", "Dan"] { service.add(name) }
    let served = try served(service, .file, age: 0.05)
    let context = served.context()
    let isChanged = Mutex(false)
    let observation = served.store.observeForeignChanges { isChanged.withLock { $0 = true } }
    defer { observation.cancel() }
    func names() throws -> [String] {
      if isChanged.withLock({ $0 }) {
        isChanged.withLock { $0 = false }
        _ = try context.refreshFromStore()
      }
      return try context.fetch(FetchRequest<ManagedObject>(entityName: "Person")).map {
        $0.value(forKey: "name").text ?? ""
      }
    }
    try await until { try names() == ["Bob", "Cyd", "Dan"] }
    service.set(2, "name", "Cyrus")
    service.delete(3)
    service.add("Eve")
    try await until { try names() == ["Bob", "Cyrus", "Eve"] }
  }

  @Test func `without a network what was read before is shown, and the title says so`() async throws
  {
    let service = TestService()
    service.add("Ada")
    let served = try served(service, age: 0.05)
    _ = try served.store.fetch(plan, control: nil)
    try await until { try served.names() == ["Ada"] }
    // More than a busy machine asks for before the test goes on.
    for _ in 0..<5_000 { service.fail(.unreachable) }
    let observation = served.store.observeForeignChanges {}
    defer { observation.cancel() }
    try await until { served.store.freshness.hasPrefix("offline, ") }
    #expect(served.store.trouble?.contains("the service cannot be reached") == true)
    #expect(try served.names() == ["Ada"])
  }

  @Test func `objects that others refer to come in one batch, not one by one`() async throws {
    let service = TestService()
    let people = (1...30).map { service.add("P\($0)") }
    for key in people { service.addDisc("D\(key)", of: key) }
    let served = try served(service, capabilities: .batch)
    let discs = FetchPlan(entityName: "Disc")
    _ = try served.store.fetch(discs, control: nil)
    try await until { try served.store.fetch(discs, control: nil).ids.count == 30 }
    service.forgetRequests()
    #expect(try served.store.rows(of: people.map { served.id($0) }).allSatisfy { $0 == nil })
    try await until {
      try served.store.rows(of: people.map { served.id($0) }).allSatisfy { $0 != nil }
    }
    #expect(service.requests().count == 1)
  }

  @Test func `a count is asked of the service as long as not all objects are here`() throws {
    let service = TestService()
    for number in 1...5 { service.add("P\(number)") }
    let served = try served(service, capabilities: .count)
    #expect(try served.store.count(FetchPlan(entityName: "Person"), control: nil) == 5)
    #expect(service.requests().map(\.url.query) == ["limit=0"])
  }
}

import Foundation
import ManagedObjects
import ObjectModel
import Synchronization
import TestSupport
import Testing

@testable import RESTStore

/// The bookkeeping of a cache.
@Suite struct CacheWriterTests {
  private func count(_ entity: String, _ served: ServedStore) throws -> Int {
    try served.store.base.count(FetchPlan(entityName: entity), control: nil)
  }

  @Test(arguments: ServedStore.Cache.allCases)
  func `keys that are whole numbers need no row, versions go with their objects`(
    _ cache: ServedStore.Cache
  ) throws {
    let service = TestService()
    for name in ["Ada", "Bob", "Cyd"] { service.add(name) }
    let served = try ServedStore(service, cache)
    try served.update()
    #expect(try count(CacheModel.key, served) == 0)
    #expect(try count(CacheModel.version(of: "Person"), served) == 3)
    service.delete(2)
    try served.update()
    #expect(try count(CacheModel.version(of: "Person"), served) == 2)
    let context = served.context()
    try context.delete(context.object(with: served.id(1)))
    try context.save()
    #expect(try count(CacheModel.version(of: "Person"), served) == 1)
  }

  @Test func `what was asked for before a save brings no older version back`() throws {
    let service = TestService()
    service.add("Ada")
    let served = try ServedStore(service)
    try served.update()
    let (store, context) = (served.store, served.context())
    let stamp = store.saveCount
    let old = RemoteObject(
      shared: RemoteEntity(try #require(store.model.entity(named: "Person"))), key: .integer(1),
      version: "\"1\"", values: ["name": "Ada"], references: [:])
    let ada = context.object(with: served.id(1))
    try ada.setValue("Ada L.", forKey: "name")
    try context.save()
    try store.write(CacheChange(objects: [old]), since: stamp)
    #expect(try served.names() == ["Ada L."])
    try ada.setValue("Ada Lovelace", forKey: "name")
    try context.save()
    #expect(service.requests("PATCH").last?.headers["If-Match"] == "\"2\"")
    #expect(service.names() == ["Ada Lovelace"])
  }

  @Test func `pages that follow soon are written together, and asked for once`() throws {
    let service = TestService(pageSize: 10)
    for number in 1...95 { service.add("P\(number)") }
    let served = try ServedStore(service, .file)
    let told = Mutex(0)
    let observation = served.store.observeForeignChanges { told.withLock { $0 += 1 } }
    defer { observation.cancel() }
    try served.store.update(for: FetchPlan(entityName: "Person"))
    #expect(service.requests().count == 10)
    #expect(try served.names().count == 95)
    #expect(told.withLock { $0 } < 10)
  }
}

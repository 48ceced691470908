import Foundation
import ManagedObjects
import ObjectModel
import RESTStore
import Synchronization
import TestSupport
import Testing

/// Two clients and the service itself change at random: at the end all agree.
@Suite struct AgreementTests {
  @Test(arguments: 1...5 as ClosedRange<UInt64>)
  func `after random edits of two clients and the service all agree`(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let service = TestService(
      pageSize: 7, hasVersions: seed.isMultiple(of: 2), hasChanges: seed > 3,
      isBlank: seed.isMultiple(of: 3))
    let people = (1...20).map { service.add("P\($0)", age: Int64($0)) }
    for owner in people { service.addDisc("D\(owner)", of: owner) }
    let clients = [try ServedStore(service, .memory), try ServedStore(service, .file)]
    for client in clients { try client.update() }
    let contexts = clients.map { $0.context() }
    for context in contexts { context.mergePolicy = .mergeByPropertyObjectTrump }
    var refused = 0
    for step in 0..<Self.editCount * 3 {
      let client = step % 3
      if client == 2 {
        edit(service, step, &random)
      } else {
        try edit(contexts[client], clients[client], step, &random)
        if Int.random(in: 0..<4, using: &random) == 0 { fail(service, &random) }
        do { try contexts[client].save() } catch {
          refused += 1
          contexts[client].rollback()
        }
        if Int.random(in: 0..<5, using: &random) == 0 {
          try clients[client].update()
          _ = try contexts[client].refreshFromStore()
        }
      }
    }
    service.state.withLock { $0.faults = [] }
    let tables = service.state.withLock { $0.tables }
    for (client, context) in zip(clients, contexts) {
      try client.update()
      _ = try context.refreshFromStore()
      for (table, entity, key) in [("people", "Person", "name"), ("discs", "Disc", "title")] {
        let rows = tables[table] ?? [:]
        let ids = try client.store.fetch(FetchPlan(entityName: entity), control: nil).ids
        #expect(Array(ids) == rows.keys.sorted().map { client.id($0, entity) })
        for id in ids {
          guard case .integer(let number) = id.key, let row = rows[number] else { continue }
          let object = context.object(with: id)
          #expect(object.value(forKey: key) == row.values[key]?.string.map(Value.string) ?? .null)
          if entity == "Disc" {
            let owner = row.values["owner_id"]?.integer
            #expect(object.objectID(forKey: "owner") == owner.map { client.id($0) })
          }
        }
      }
    }
    // Most edits get through, conflicts and lost answers included.
    #expect(refused < Self.editCount / 4)
    // Nothing was created twice: every name that a client gave is there once at most.
    let made = (tables["people"] ?? [:]).values.compactMap { $0.values["name"]?.string }
      .filter { $0.hasPrefix("new ") && !$0.contains(",") }
    #expect(Set(made).count == made.count)
  }

  /// How many edits each of the three makes.
  private static let editCount =
    ProcessInfo.processInfo.environment["CARDFILE_EDITS"].flatMap { Int($0) } ?? 60

  private func edit(
    _ context: ManagedObjectContext, _ client: ServedStore, _ step: Int,
    _ random: inout SeededGenerator
  ) throws {
    let people = try client.store.fetch(FetchPlan(entityName: "Person"), control: nil).ids
    guard let id = people.randomElement(using: &random) else { return }
    switch Int.random(in: 0..<10, using: &random) {
    case 0, 1:
      let new = try context.insert(entityName: "Person")
      try new.setValue(.string("new \(step)"), forKey: "name")
      let disc = try context.insert(entityName: "Disc")
      try disc.setObject(new, forKey: "owner")
      try disc.setValue(.string("disc \(step)"), forKey: "title")
    case 2: try context.delete(context.object(with: id))
    case 3:
      let discs = try client.store.fetch(FetchPlan(entityName: "Disc"), control: nil).ids
      guard let disc = discs.randomElement(using: &random) else { return }
      try context.object(with: disc).setObject(context.object(with: id), forKey: "owner")
    default: try context.object(with: id).setValue(.string("name \(step)"), forKey: "name")
    }
  }

  private func edit(_ service: TestService, _ step: Int, _ random: inout SeededGenerator) {
    let (people, discs) = service.state.withLock {
      (($0.tables["people"] ?? [:]).keys.sorted(), ($0.tables["discs"] ?? [:]).keys.sorted())
    }
    guard let key = people.randomElement(using: &random) else { return }
    switch Int.random(in: 0..<8, using: &random) {
    case 0: service.addDisc("served \(step)", of: service.add("served \(step)"))
    case 1:
      service.delete(key)
      // As a database does it that keeps its references.
      for disc in discs {
        let owner = service.state.withLock { $0.tables["discs"]?[disc]?.values["owner_id"] }
        if owner == .integer(key) { service.set(disc, "owner_id", .null, in: "discs") }
      }
    case 2:
      if let disc = discs.randomElement(using: &random) {
        service.set(disc, "owner_id", .integer(key), in: "discs")
      }
    default: service.set(key, "name", .string("served \(step)"))
    }
  }

  /// Loses the answer to the next request that writes, before or after it is carried out.
  private func fail(_ service: TestService, _ random: inout SeededGenerator) {
    let faults: [TestService.Fault] = [.lostBefore, .lostAfter, .statusAfter(500)]
    service.fail(faults[Int.random(in: 0..<3, using: &random)]) { $0.method != "GET" }
  }
}

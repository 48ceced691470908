import Foundation
import ManagedObjects
import ObjectModel
import TestSupport
import Testing

@testable import RESTStore

/// Two clients change an OData server at random: at the end their caches have what it has.
@Suite(.needs(.odatapy), .serialized) struct RealAgreementTests {
  /// How many edits each client makes.
  private static let editCount =
    ProcessInfo.processInfo.environment["CARDFILE_EDITS"].flatMap { Int($0) } ?? 12

  private static let entities = ["Artist", "Album", "Genre", "Track"]

  @Test(arguments: [1] as [UInt64])
  func `after random edits of two clients all agree`(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let service = try RealService(.odatapy)
    let stores = [try service.store(), try service.store()]
    for store in stores { try store.update(Self.entities) }
    let contexts = stores.map { $0.context() }
    var conflicts = 0
    for step in 0..<Self.editCount * 2 {
      let (store, context) = (stores[step % 2], contexts[step % 2])
      try edit(context, store, step, &random)
      do { try context.save() } catch {
        conflicts += 1
        context.rollback()
      }
      if random.chance(oneIn: 4) {
        try store.update(Self.entities)
        _ = try context.refreshFromStore()
      }
    }
    let fresh = try service.store()
    try fresh.update(Self.entities)
    for store in stores {
      try store.update(Self.entities)
      for name in Self.entities {
        let plan = FetchPlan(entityName: name)
        let expected = try fresh.fetch(plan, control: nil).ids.map(\.key)
        #expect(try store.fetch(plan, control: nil).ids.map(\.key) == expected, "\(name)")
        func rows(_ store: RESTStore) throws -> [[Value]] {
          let ids = try store.fetch(plan, control: nil).ids
          return try store.rows(of: Array(ids)).map { row in
            Array(row?.values ?? RowValues([]))
              + (row?.toOne ?? []).map { $0.map { .string("\($0.key)") } ?? .null }
          }
        }
        #expect(try rows(store) == rows(fresh), "\(name)")
      }
    }
    #expect(conflicts < Self.editCount)
  }

  private func edit(
    _ context: ManagedObjectContext, _ store: RESTStore, _ step: Int,
    _ random: inout SeededGenerator
  ) throws {
    func any(_ entity: String) throws -> ManagedObject {
      let ids = Array(try store.fetch(FetchPlan(entityName: entity), control: nil).ids)
      return context.object(with: random.pick(ids))
    }
    switch Int.random(in: 0..<6, using: &random) {
    case 0:
      let new = try context.insert(entityName: "Album")
      try new.setValue(.string("Album & '\(step)'"), forKey: "Title")
      try new.setObject(try any("Artist"), forKey: "Artist")
    case 1: try any("Album").setObject(try any("Artist"), forKey: "Artist")
    case 2: try context.delete(try any("Track"))
    case 3: try any("Track").setObject(nil, forKey: "Genre")
    case 4: try any("Track").setValue(.string("song \(step)"), forKey: "Name")
    default:
      try any("Artist").setValue(.string("Ärtist \(step)"), forKey: "Name")
      try any("Track").setValue(.null, forKey: "Composer")
    }
  }
}

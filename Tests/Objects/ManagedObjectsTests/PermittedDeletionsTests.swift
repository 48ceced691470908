import ObjectModel
import TestSupport
import Testing

@testable import ManagedObjects

/// Deletions that leave out what delete rules deny, and delete the rest.
@Suite struct PermittedDeletionsTests {
  private static let model = ManagedObjectModel {
    Entity("Node") {
      Attribute("name", .string)
      ToOne("whole", "Node", inverse: "parts")
      ToMany("parts", "Node", inverse: "whole", deleteRule: .cascade)
      ToMany("twins", "Node", inverse: "twins", deleteRule: .cascade)
      ToMany("needed", "Node", inverse: "needs", deleteRule: .deny)
      ToMany("needs", "Node", inverse: "needed")
    }
  }

  private func nodes(_ count: Int, in context: ManagedObjectContext) throws -> [ManagedObject] {
    try (0..<count).map { try context.make("Node", "N\($0)") }
  }

  /// The objects left when each whose deletion alone would reach a denied object is taken away, as
  /// often as anything is denied.
  private func permitted(_ ids: [ObjectID], in context: ManagedObjectContext) throws -> [ObjectID] {
    var ids = ids
    while true {
      let denied = Set(try context.deletionPlan(for: ids).denied.map(\.objectID))
      if denied.isEmpty { return ids }
      ids = try ids.filter { id in
        denied.isDisjoint(with: try context.deletionPlan(for: [id]).deleted)
      }
    }
  }

  @Test(arguments: 0..<24)
  func `leaves out the same as planning object by object`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let context = makeContext(Self.model)
    let count = Int.random(in: 2...24, using: &random)
    let nodes = try nodes(count, in: context)
    for (key, links) in [("parts", count), ("twins", count / 4), ("needed", count / 2)] {
      for _ in 0..<Int.random(in: 0...max(links, 1), using: &random) {
        guard let source = nodes.randomElement(using: &random),
          let destination = nodes.randomElement(using: &random)
        else { continue }
        try source.add(destination, forKey: key)
      }
      // Some of the links are unsaved.
      if key == "parts" || Bool.random(using: &random) { try context.save() }
    }
    let asked = nodes.map(\.objectID).filter { _ in Bool.random(using: &random) }
    let plan = try context.deletionPlan(for: asked, leavingOutDenied: true)
    let expected = try permitted(asked, in: context)
    #expect(plan.direct == expected)
    #expect(plan.refused == asked.filter { !expected.contains($0) })
    #expect(plan.denied.isEmpty && plan.refused.isEmpty == plan.refusals.isEmpty)
    let deleted = Set(plan.deleted)
    for denial in plan.refusals {
      #expect(!deleted.contains(denial.objectID) && deleted.isDisjoint(with: denial.destinations))
    }
    #expect(plan == (try relabelled(context.deletionPlan(for: expected), as: plan)))
  }

  /// A plan with the refusals of another.
  private func relabelled(_ plan: DeletionPlan, as other: DeletionPlan) -> DeletionPlan {
    var plan = plan
    (plan.refused, plan.refusals) = (other.refused, other.refusals)
    return plan
  }

  @Test func `what was left out says what denies it`() throws {
    let context = makeContext(Self.model)
    let nodes = try nodes(5, in: context)
    try nodes[0].add(nodes[1], forKey: "parts")
    try nodes[1].add(nodes[3], forKey: "needed")
    try nodes[2].add(nodes[0], forKey: "needed")
    try context.save()
    let ids = nodes.map(\.objectID)
    let plan = try context.deletionPlan(for: [ids[0], ids[2], ids[4]], leavingOutDenied: true)
    #expect(plan.direct == [ids[4]] && plan.refused == [ids[0], ids[2]])
    #expect(Set(plan.refusals.map(\.relationship.description)) == ["Node.needed"])
    #expect(
      plan.refusals.reduce(into: [:]) { $0[$1.objectID] = $1.destinations }
        == [ids[1]: [ids[3]], ids[2]: [ids[0]]])
    let summary = try SaveSummary(of: context, deleting: plan)
    #expect(summary.denied.isEmpty && summary.refused.map { Set($0.ids) } == [[ids[1], ids[2]]])
    #expect(summary.refused.map { Set($0.destinations) } == [[ids[3], ids[0]]])
    // What denies it can be deleted too.
    let all = plan.direct + plan.refused + summary.refused.flatMap(\.destinations)
    #expect(try context.deletionPlan(for: all, leavingOutDenied: true).refused.isEmpty)
  }

  @Test(arguments: [10, 400])
  func `a plan costs as many queries for many objects as for few`(count: Int) throws {
    let store = InstrumentedStore(InMemoryStore(model: Self.model))
    let first = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    let nodes = try nodes(2 * count, in: first)
    for number in 0..<count {
      try nodes[number].add(nodes[count + number], forKey: "parts")
      // Each denies the deletion of the one before.
      if number > 0 { try nodes[count + number - 1].add(nodes[number], forKey: "needed") }
    }
    try nodes[0].add(nodes[2 * count - 1], forKey: "twins")
    try nodes[2 * count - 1].add(try first.make("Node", "last"), forKey: "needed")
    try first.save()
    let context = ManagedObjectContext(coordinator: first.persistentStoreCoordinator)
    store.resetCounts()
    let asked = nodes[..<count].map(\.objectID)
    let plan = try context.deletionPlan(for: asked, leavingOutDenied: true)
    #expect(plan.refused == asked && plan.deleted.isEmpty)
    #expect(store.counts.destinations <= 30)
  }
}

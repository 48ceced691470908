import Foundation
import ManagedObjects
import ObjectModel
import SQLiteStore
import TestSupport
import Testing

@testable import FetchedResults

/// A list that holds only the rows that are looked at is a part of the whole list, without gaps.
struct WindowTests {
  @Test(
    arguments: Scenario.all.filter { $0.limit == 0 } + [
      Scenario(
        order: [
          FetchSortDescriptor("age"), FetchSortDescriptor("note", ascending: false),
          FetchSortDescriptor("name"),
        ], sections: SectionKey("age")),
      Scenario(order: [FetchSortDescriptor("age", ascending: false)]),
    ], 0..<6)
  func `after random motions and changes the held rows are a part of a fresh fetch`(
    scenario: Scenario, seed: Int
  ) throws {
    var walk = try WindowWalk(scenario, seed: UInt64(seed))
    for step in 0..<60 {
      try walk.step()
      guard walk.expectPart(step) else { return }
    }
  }
}

/// Looks at a windowed list, and changes its objects, at random.
private struct WindowWalk {
  private let folder = try? TemporaryFolder()
  private let people: People
  private let controller: FetchedResultsController<ManagedObject>
  private let replay: ReplayingDelegate
  private let scenario: Scenario
  private var work: RandomWork
  private var generator: SeededGenerator
  private var last = ""

  init(_ scenario: Scenario, seed: UInt64) throws {
    self.scenario = scenario
    generator = SeededGenerator(seed: seed)
    let path = try #require(folder).path("people")
    people = try People(
      in: SQLiteStore.create(path: path, model: People.modelWithoutKey, layout: .plain))
    work = RandomWork(people: people)
    for _ in 0..<260 { try work.step(using: &generator, saves: false) }
    try people.context.save()
    var request = ListRequest(
      fetchRequest: people.request(scenario.predicate, by: scenario.order),
      sectionKey: scenario.sections,
      displayAttributeName: "name")
    request.extent = .window(8)
    controller = FetchedResultsController(request, context: people.context)
    replay = ReplayingDelegate(scenario, people.context)
    try controller.performFetch(firstScreen: 8, wake: {})
    settle()
    controller.delegate = replay
    replay.start(try #require(controller.results))
  }

  /// Waits until nothing is read any more.
  private func settle() {
    while true {
      controller.takeBackgroundResults()
      guard
        controller.fetchProgress != nil || controller.isReadingWindow
          || controller.isCountingWindow
      else { return }
      usleep(200)
    }
  }

  mutating func step() throws {
    let count = controller.count
    let row = count == 0 ? 0 : Int.random(in: 0..<count, using: &generator)
    func object() -> ObjectID? { controller.results?.ids[row] }
    switch Int.random(in: 0..<14, using: &generator) {
    case 0: try show(.first)
    case 1: try show(.last)
    case 2: try show(.share(Double.random(in: 0...1, using: &generator)))
    case 3, 4: try show(.next)
    case 5: try show(.previous)
    case 6:
      if count > 0, let id = object(), !id.isTemporary { try show(.objects([id])) }
    case 7:
      if count > 0, scenario.sections != nil, let id = object(), !id.isTemporary {
        try show(.section(of: id, by: Int.random(in: -3...3, using: &generator)))
      }
    case 8: try show(.matching(.key("age", .greaterOrEqual, 3)))
    case 9:
      if count > 0, let id = object(), !id.isTemporary {
        try show(
          .match(
            .key("age", .equal, 2), beside: id, by: Int.random(in: -2...2, using: &generator)))
      }
    case 10, 11:
      last = "look at \(row)"
      controller.look(at: row..<min(row + 4, max(count, row)))
    case 12:
      last = "behind"
      try work.changeBehindTheContext(using: &generator)
    default:
      last = "change"
      for _ in 0..<Int.random(in: 1...4, using: &generator) { try work.step(using: &generator) }
      people.context.processPendingChanges()
    }
    settle()
  }

  private mutating func show(_ part: ListPart) throws {
    last = "\(part)"
    _ = try controller.show(part, count: 8)
  }

  /// Expects that the held rows are a part of a fresh fetch; returns whether they are.
  func expectPart(_ step: Int) -> Bool {
    do {
      let list = try #require(controller.results)
      var plan = try #require(controller.displayedRequest).plan(in: people.context.model)
      plan.sectionKey = scenario.sections
      let fresh = ResultsSections(
        try people.context.fetchIDs(plan), isSectioned: scenario.sections != nil)
      let start = list.ids.first.flatMap { fresh.ids.index(of: $0) } ?? 0
      let range = start..<min(start + list.count, fresh.count)
      let isPart = list.count == 0 ? fresh.count == 0 : list == fresh.part(range)
      let text = "step \(step), \(last): \(Array(list.ids)) of \(Array(fresh.ids))"
      #expect(isPart, "\(text)")
      #expect(controller.isOpenAtStart || start == 0, "\(text)")
      #expect(controller.isOpenAtEnd || range.upperBound == fresh.count, "\(text)")
      #expect((controller.part == nil) == (!controller.isOpenAtStart && !controller.isOpenAtEnd))
      #expect(controller.heldOffset ?? start == start, "\(text)")
      if let count = controller.listCount, count.isExact {
        #expect(count.count == fresh.count, "\(text)")
      }
      if !people.context.hasChanges, list.count > 0 {
        #expect(controller.heldOffset == start, "it is counted. \(text)")
        #expect(controller.listCount?.isExact == true, "\(text)")
      }
      if let row = controller.targetRow { #expect(list.ids.indices.contains(row)) }
      #expect(list.count <= 200)
      #expect(replay.problems.isEmpty, "\(text): \(replay.problems)")
      #expect(replay.names == list.names, "\(text)")
      return isPart && replay.problems.isEmpty && controller.heldOffset ?? start == start
    } catch {
      Issue.record(error)
      return false
    }
  }
}

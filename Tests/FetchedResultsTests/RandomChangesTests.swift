import Foundation
import ManagedObjects
import ObjectModel
import TestSupport
import Testing

@testable import FetchedResults

struct RandomChangesTests {
  static let seeds = 0..<8

  @Test(arguments: Scenario.all, seeds)
  func `after random changes, the list equals a fresh fetch, and so does a replay of its changes`(
    scenario: Scenario, seed: Int
  ) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let people = try People()
    let context = people.context
    var work = RandomWork(people: people)
    for _ in 0..<20 { try work.step(using: &generator) }
    try context.save()

    var request = people.request(scenario.predicate, by: scenario.order)
    request.fetchLimit = scenario.limit
    let controller = FetchedResultsController(
      fetchRequest: request, context: context, sectionKey: scenario.sections)
    let replay = ReplayingDelegate(scenario, context)
    controller.delegate = replay
    try controller.performFetch()
    replay.start(try #require(controller.results))

    for step in 0..<25 {
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        try work.step(using: &generator)
      }
      context.processPendingChanges()
      if step % 6 == 5 {
        try work.changeBehindTheContext(using: &generator)
      }

      let list = try #require(controller.results)
      var plan = try request.plan(in: context.model)
      plan.sectionKey = scenario.sections
      let fresh = ResultsSections(try context.fetchIDs(plan), isSectioned: scenario.sections != nil)
      #expect(list == fresh, "step \(step): \(text(list)) is not \(text(fresh))")
      #expect(
        scenario.sections == nil || !list.names.indices.contains { list.count(inSection: $0) == 0 })
      #expect(replay.problems.isEmpty, "step \(step): \(replay.problems)")
      #expect(replay.rows == replay.content(of: list), "step \(step)")
      #expect(replay.names == list.names, "step \(step)")
      if list != fresh || !replay.problems.isEmpty { return }
    }
  }

  @Test(arguments: Scenario.all, 0..<5)
  func `after random changes during background fetches, the list equals a fresh fetch`(
    scenario: Scenario, seed: Int
  ) async throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let people = try People()
    let context = people.context
    var work = RandomWork(people: people)
    for _ in 0..<30 { try work.step(using: &generator) }
    try context.save()

    var request = people.request(scenario.predicate, by: scenario.order)
    request.fetchLimit = scenario.limit
    let controller = FetchedResultsController(
      fetchRequest: request, context: context, sectionKey: scenario.sections)
    let replay = ReplayingDelegate(scenario, context)
    controller.delegate = replay
    let wakes = Wakes()
    people.store.isOpen = false
    try controller.performFetch(firstScreen: 3, wake: wakes.wake)
    replay.start(try #require(controller.results))

    for step in 0..<8 {
      for _ in 0..<Int.random(in: 0...3, using: &generator) {
        try work.step(using: &generator)
        context.processPendingChanges()
      }
      if step % 3 == 1 {
        try work.changeBehindTheContext(using: &generator)
      } else if step % 3 == 2 {
        request.sortDescriptors = scenario.order.map(\.reversed)
        try controller.set(
          ListRequest(fetchRequest: request, sectionKey: scenario.sections), firstScreen: 2,
          wake: wakes.wake)
      }
      while controller.fetchProgress != nil {
        people.store.letOneFetchPass()
        await wakes.next()
        controller.takeBackgroundResults()
      }
      #expect(controller.fetchState == .complete)
      let list = try #require(controller.results)
      var plan = try request.plan(in: context.model)
      plan.sectionKey = scenario.sections
      let fresh = ResultsSections(try context.fetchIDs(plan), isSectioned: scenario.sections != nil)
      #expect(list == fresh, "step \(step): \(text(list)) is not \(text(fresh))")
      #expect(replay.problems.isEmpty, "step \(step): \(replay.problems)")
      #expect(replay.rows == replay.content(of: list), "step \(step)")
      #expect(replay.names == list.names, "step \(step)")
      if list != fresh || !replay.problems.isEmpty { return }
    }
  }
}

import Foundation
import ManagedObjects
import ObjectModel
import TestSupport
import Testing

@testable import FetchedResults

struct RandomChangesTests {
  static let seeds = 0..<8

  @Test(arguments: Scenario.all, seeds)
  func `whatever happens, the list is what a fresh fetch gives and was told as it came`(
    scenario: Scenario, seed: Int
  ) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let people = try People()
    let context = people.context
    var deeds = Deeds(people: people)
    for _ in 0..<20 { try deeds.doSomething(using: &generator) }
    try context.save()

    var request = people.request(scenario.predicate, by: scenario.order)
    request.fetchLimit = scenario.limit
    let controller = FetchedResultsController(
      fetchRequest: request, context: context, sectionKey: scenario.sections)
    let follower = Follower(scenario, context)
    controller.delegate = follower
    try controller.performFetch()
    follower.start(try #require(controller.results))

    for step in 0..<25 {
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        try deeds.doSomething(using: &generator)
      }
      context.processPendingChanges()
      if step % 6 == 5 {
        try deeds.changeBehindTheContext(using: &generator)
      }

      let list = try #require(controller.results)
      var plan = try request.plan(in: context.model)
      plan.sectionKey = scenario.sections
      let fresh = ResultsSections(try context.fetchIDs(plan), isSectioned: scenario.sections != nil)
      #expect(list == fresh, "step \(step): \(text(list)) is not \(text(fresh))")
      #expect(
        scenario.sections == nil || !list.names.indices.contains { list.count(inSection: $0) == 0 })
      #expect(follower.problems.isEmpty, "step \(step): \(follower.problems)")
      #expect(follower.rows == follower.content(of: list), "step \(step)")
      #expect(follower.names == list.names, "step \(step)")
      if list != fresh || !follower.problems.isEmpty { return }
    }
  }

  @Test(arguments: Scenario.all, 0..<5)
  func `whatever happens during background fetches, the list ends as a fresh fetch gives it`(
    scenario: Scenario, seed: Int
  ) async throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let people = try People()
    let context = people.context
    var deeds = Deeds(people: people)
    for _ in 0..<30 { try deeds.doSomething(using: &generator) }
    try context.save()

    var request = people.request(scenario.predicate, by: scenario.order)
    request.fetchLimit = scenario.limit
    let controller = FetchedResultsController(
      fetchRequest: request, context: context, sectionKey: scenario.sections)
    let follower = Follower(scenario, context)
    controller.delegate = follower
    let wakes = Wakes()
    people.store.isOpen = false
    try controller.performFetch(firstScreen: 3, wake: wakes.wake)
    follower.start(try #require(controller.results))

    for step in 0..<8 {
      for _ in 0..<Int.random(in: 0...3, using: &generator) {
        try deeds.doSomething(using: &generator)
        context.processPendingChanges()
      }
      if step % 3 == 1 {
        try deeds.changeBehindTheContext(using: &generator)
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
      #expect(follower.problems.isEmpty, "step \(step): \(follower.problems)")
      #expect(follower.rows == follower.content(of: list), "step \(step)")
      #expect(follower.names == list.names, "step \(step)")
      if list != fresh || !follower.problems.isEmpty { return }
    }
  }
}

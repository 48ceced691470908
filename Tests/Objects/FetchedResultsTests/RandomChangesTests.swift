import Foundation
import ManagedObjects
import ObjectModel
import SQLiteStore
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
    var work = RandomWork(people: people)
    for _ in 0..<20 { try work.step(using: &generator) }
    try people.context.save()
    try Self.change(people, &work, scenario, using: &generator)
  }

  @Test(arguments: Scenario.all, seeds)
  func `after random changes, a list from the cache equals a fresh fetch`(
    scenario: Scenario, seed: Int
  ) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let folder = try TemporaryFolder()
    let people = try People(
      in: SQLiteStore.create(
        path: folder.path("people"), model: People.modelWithoutKey, layout: .plain))
    var work = RandomWork(people: people)
    for _ in 0..<20 { try work.step(using: &generator) }
    try people.context.save()
    // The state of a file that was written a moment ago is not recognised.
    usleep(30_000)
    let cache = FetchedResultsCache(path: folder.path("caches"))
    let other = People(of: people)
    try Self.list(scenario, of: other, cache).performFetch()
    // Unsaved changes are laid over what the cache has.
    for _ in 0..<Int.random(in: 0...3, using: &generator) {
      try work.step(using: &generator, saves: false)
    }
    try Self.change(people, &work, scenario, from: cache, using: &generator)
  }

  private static func list(
    _ scenario: Scenario, of people: People, _ cache: FetchedResultsCache?
  ) -> FetchedResultsController<ManagedObject> {
    var request = people.request(scenario.predicate, by: scenario.order)
    request.fetchLimit = scenario.limit
    let controller = FetchedResultsController(
      fetchRequest: request, context: people.context, sectionKey: scenario.sections,
      cacheName: cache == nil ? nil : "people")
    if let cache { controller.cache = cache }
    return controller
  }

  /// Changes people at random, and compares their list with a fresh fetch again and again.
  ///
  /// - Parameters:
  ///   - people: The people.
  ///   - work: Changes them.
  ///   - scenario: What the list shows.
  ///   - cache: What the list must be taken from; nil if it is fetched.
  ///   - generator: The random numbers.
  /// - Throws: What the store throws.
  private static func change(
    _ people: People, _ work: inout RandomWork, _ scenario: Scenario,
    from cache: FetchedResultsCache? = nil, using generator: inout SeededGenerator
  ) throws {
    let context = people.context
    let controller = list(scenario, of: people, cache)
    let replay = ReplayingDelegate(scenario, context)
    controller.delegate = replay
    // A context with unsaved changes and a limit fetches more rows than the cache has.
    let mustBeFound = cache != nil && (scenario.limit == 0 || !context.hasChanges)
    people.store.resetCounts()
    try controller.performFetch()
    if mustBeFound { #expect(people.store.counts.fetches == 0) }
    replay.start(try #require(controller.results))

    for step in 0..<25 {
      if step == 0, cache != nil { try expectFresh(controller, scenario, step) }
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        try work.step(using: &generator)
      }
      context.processPendingChanges()
      if step % 6 == 5 {
        try work.changeBehindTheContext(using: &generator)
      }

      let list = try #require(controller.results)
      let isFresh = try expectFresh(controller, scenario, step)
      #expect(
        scenario.sections == nil || !list.names.indices.contains { list.count(inSection: $0) == 0 })
      #expect(replay.problems.isEmpty, "step \(step): \(replay.problems)")
      #expect(replay.rows == replay.content(of: list), "step \(step)")
      #expect(replay.names == list.names, "step \(step)")
      if !isFresh || !replay.problems.isEmpty { return }
    }
  }

  /// Expects that a list equals a fresh fetch; returns whether it does.
  @discardableResult
  private static func expectFresh(
    _ controller: FetchedResultsController<ManagedObject>, _ scenario: Scenario, _ step: Int
  ) throws -> Bool {
    let context = controller.managedObjectContext
    let list = try #require(controller.results)
    var plan = try controller.fetchRequest.plan(in: context.model)
    plan.sectionKey = scenario.sections
    let fresh = ResultsSections(try context.fetchIDs(plan), isSectioned: scenario.sections != nil)
    #expect(list == fresh, "step \(step): \(text(list)) is not \(text(fresh))")
    return list == fresh
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

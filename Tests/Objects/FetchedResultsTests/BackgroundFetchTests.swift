import Foundation
import ManagedObjects
import ObjectModel
import TestSupport
import Testing

@testable import FetchedResults

struct BackgroundFetchTests {
  private let people: People
  private let controller: FetchedResultsController<ManagedObject>
  private let recorder = Recorder()

  init() throws {
    people = try People("anna bo cleo dora eva fay")
    controller = people.controller()
    controller.delegate = recorder
  }

  @Test func `the first rows are fetched at once and the others in the background`() async throws {
    let wakes = Wakes()
    people.store.isOpen = false
    try controller.performFetch(firstScreen: 2, wake: wakes.wake)
    #expect(picture(controller) == "anna, bo")
    #expect(controller.fetchState == .partial(completed: 0, total: 0))
    #expect(!controller.takeBackgroundResults())
    people.store.letOneFetchPass()
    await wakes.next()
    #expect(controller.fetchState == .partial(completed: 6, total: 6))
    #expect(controller.takeBackgroundResults())
    #expect(controller.fetchState == .complete)
    #expect(controller.fetchProgress == nil)
    #expect(picture(controller) == "anna, bo, cleo, dora, eva, fay")
    #expect(recorder.changes.map(\.insertedRows.count) == [4])
    #expect(controller.changeOrigin == .fetch)
  }

  @Test func `other parts are shown before all rows are there`() async throws {
    let wakes = Wakes()
    people.store.isOpen = false
    people.store.letsPartsPass = true
    try controller.performFetch(firstScreen: 2, wake: wakes.wake)
    #expect(try controller.show(.last, count: 3))
    await wakes.next()
    controller.takeBackgroundResults()
    #expect(picture(controller) == "dora, eva, fay")
    #expect(controller.part == .last)
    try people.addPerson("abe")
    try people.addPerson("zoe")
    try people.context.delete(people.person("eva"))
    people.context.processPendingChanges()
    #expect(picture(controller) == "dora, fay, zoe", "abe may come before rows that are not here")
    #expect(try controller.show(.matching(.key("name", .greaterOrEqual, "c")), count: 2))
    await wakes.next()
    controller.takeBackgroundResults()
    #expect(picture(controller) == "cleo, dora")
    #expect(try controller.show(.matching(.key("name", .equal, "none")), count: 2))
    await wakes.next()
    #expect(!controller.takeBackgroundResults(), "a part without rows is not shown")
    #expect(try controller.show(.first, count: 2))
    await wakes.next()
    controller.takeBackgroundResults()
    #expect(picture(controller) == "abe, anna")
    people.store.letOneFetchPass()
    await wakes.next()
    controller.takeBackgroundResults()
    #expect(controller.part == nil)
    #expect(picture(controller) == "abe, anna, bo, cleo, dora, fay, zoe")
    #expect(try !controller.show(.last, count: 3))
  }

  @Test func `a part has what was saved while it was being fetched`() async throws {
    let wakes = Wakes()
    people.store.isOpen = false
    try controller.performFetch(firstScreen: 2, wake: wakes.wake)
    #expect(try controller.show(.last, count: 4))
    people.store.letsPartsPass = true
    await wakes.next()
    try people.context.delete(people.person("eva"))
    try people.person("dora").setValue("fred", forKey: "name")
    try people.context.save()
    controller.takeBackgroundResults()
    #expect(controller.part == .last)
    #expect(picture(controller) == "cleo, fay, fred")
    people.store.isOpen = true
    await wakes.next()
    controller.takeBackgroundResults()
    #expect(picture(controller) == "anna, bo, cleo, fay, fred")
  }

  @Test func `a list with a limit has no other part`() throws {
    people.store.isOpen = false
    var request = controller.request
    request.fetchRequest.fetchLimit = 4
    try controller.set(request)
    try controller.performFetch(firstScreen: 2, wake: {})
    #expect(try !controller.show(.last, count: 3))
    #expect(picture(controller) == "anna, bo")
  }

  @Test func `a list shorter than the first screen is complete at once`() throws {
    try controller.performFetch(firstScreen: 7, wake: {})
    #expect(controller.fetchState == .complete)
    #expect(controller.fetchProgress == nil)
  }

  @Test func `changes made during a background fetch are kept`() async throws {
    let wakes = Wakes()
    people.store.isOpen = false
    try controller.performFetch(firstScreen: 3, wake: wakes.wake)
    try people.addPerson("abe")
    try people.addPerson("zoe")
    try people.context.delete(people.person("bo"))
    people.context.processPendingChanges()
    #expect(picture(controller) == "abe, anna, cleo")
    try people.context.save()
    try people.addPerson("dan")
    people.context.processPendingChanges()
    people.store.letOneFetchPass()
    await wakes.next()
    controller.takeBackgroundResults()
    #expect(picture(controller) == "abe, anna, cleo, dan, dora, eva, fay, zoe")
  }

  @Test func `the old rows stay until the first rows of a changed request are fetched`()
    async throws
  {
    try controller.performFetch()
    let wakes = Wakes()
    people.store.isOpen = false
    var request = controller.request
    request.fetchRequest.sortDescriptors = [FetchSortDescriptor("name", ascending: false)]
    try controller.set(request, firstScreen: 2, wake: wakes.wake)
    #expect(controller.request == request)
    #expect(controller.displayedRequest != request)
    #expect(controller.showsEarlierRequest)
    #expect(picture(controller) == "anna, bo, cleo, dora, eva, fay")
    try people.addPerson("abe")
    people.context.processPendingChanges()
    #expect(picture(controller) == "abe, anna, bo, cleo, dora, eva, fay")
    people.store.letOneFetchPass()
    await wakes.next()
    controller.takeBackgroundResults()
    #expect(picture(controller) == "fay, eva")
    #expect(controller.displayedRequest == request)
    #expect(!controller.showsEarlierRequest)
    #expect(controller.fetchState == .partial(completed: 2, total: 2))
    people.store.letOneFetchPass()
    await wakes.next()
    controller.takeBackgroundResults()
    #expect(picture(controller) == "fay, eva, dora, cleo, bo, anna, abe")
  }

  @Test func `cancelling a fetch sets the request back to the displayed one`() async throws {
    try controller.performFetch()
    people.store.isOpen = false
    let wakes = Wakes()
    let order = controller.sortDescriptors
    var request = controller.request
    request.fetchRequest.sortDescriptors = [FetchSortDescriptor("age")]
    try controller.set(request, firstScreen: 2, wake: wakes.wake)
    controller.cancelFetch()
    #expect(controller.sortDescriptors == order)
    #expect(!controller.showsEarlierRequest)
    people.store.letOneFetchPass()
    await wakes.next()
    #expect(!controller.takeBackgroundResults())
    #expect(controller.mostRecentError == nil)
    #expect(picture(controller) == "anna, bo, cleo, dora, eva, fay")
  }

  @Test func `a filter text with the same predicate starts no fetch`() async throws {
    try controller.performFetch()
    let wakes = Wakes()
    var request = controller.request
    func filter(_ text: String) throws -> TypedPredicate {
      let person = try #require(People.model.entity(named: "Person"))
      return try TypedPredicate(text, as: .words, for: person, in: People.model)
    }
    request.filter = try filter("bo")
    try controller.set(request, firstScreen: 2, wake: wakes.wake)
    request.filter = try filter("bo ")
    try controller.set(request, firstScreen: 2, wake: wakes.wake)
    #expect(controller.request == request)
    await wakes.next()
    controller.takeBackgroundResults()
    #expect(controller.displayedRequest == request)
    request.filter = try filter(" bo")
    try controller.set(request, firstScreen: 2, wake: wakes.wake)
    #expect(controller.fetchProgress == nil)
    #expect(controller.displayedRequest == request)
    #expect(picture(controller) == "bo")
  }

  @Test func `an invalid request sets the request back to the one being fetched`() async throws {
    try controller.performFetch()
    let wakes = Wakes()
    people.store.isOpen = false
    var request = controller.request
    request.fetchRequest.sortDescriptors = [FetchSortDescriptor("name", ascending: false)]
    try controller.set(request, firstScreen: 9, wake: wakes.wake)
    var wrong = request
    wrong.fetchRequest.predicate = .key("nothing", .equal, 1)
    #expect(throws: (any Error).self) {
      try controller.set(wrong, firstScreen: 9, wake: wakes.wake)
    }
    #expect(controller.request == request)
    people.store.letOneFetchPass()
    await wakes.next()
    controller.takeBackgroundResults()
    #expect(controller.displayedRequest == request)
    #expect(picture(controller) == "fay, eva, dora, cleo, bo, anna")
  }

  @Test func `an error of a background fetch is reported and the displayed list stays`()
    async throws
  {
    try controller.performFetch()
    let wakes = Wakes()
    people.store.failNextFetch(StoreError(.disk, doing: "fetching"))
    var request = controller.request
    request.fetchRequest.predicate = .key("name", .equal, "bo")
    try controller.set(request, firstScreen: 2, wake: wakes.wake)
    await wakes.next()
    controller.takeBackgroundResults()
    #expect(recorder.errors.count == 1)
    #expect(controller.mostRecentError is StoreError)
    #expect(controller.predicate == nil)
    #expect(controller.fetchProgress == nil)
    #expect(picture(controller) == "anna, bo, cleo, dora, eva, fay")
  }

  @Test func `a commit of another process updates cached and new rows at once, the others later`()
    async throws
  {
    let wakes = Wakes()
    try controller.performFetch(firstScreen: 9, wake: wakes.wake)
    _ = controller.fetchedObjects?.prefix(1).map { $0["name"] }
    let context = people.stranger()
    let all = try context.fetch(people.request())
    all[0]["name"] = "gus"
    try context.delete(all[5])
    let new = try context.insert(entityName: "Person")
    new["name"] = "bea"
    try context.save()

    people.store.isOpen = false
    try people.context.refreshFromStore()
    #expect(picture(controller) == "bea, bo, cleo, dora, eva, gus")
    #expect(recorder.changes.count == 1)
    #expect(controller.changeOrigin == .store)
    try people.context.refreshFromStore()
    for _ in 0..<2 {
      people.store.letOneFetchPass()
      await wakes.next()
      controller.takeBackgroundResults()
    }
    #expect(picture(controller) == "bea, bo, cleo, dora, eva, gus")
    #expect(controller.fetchProgress == nil)
  }

  @Test func `changes of rows that are not cached are found by the whole fetch`() async throws {
    let wakes = Wakes()
    try controller.performFetch(firstScreen: 9, wake: wakes.wake)
    let context = people.stranger()
    let dora = try #require(try context.fetch(people.request()).first { $0["name"] == "dora" })
    try context.delete(dora)
    try context.save()
    people.context.trim(keeping: [])
    try people.context.refreshFromStore()
    await wakes.next()
    controller.takeBackgroundResults()
    #expect(picture(controller) == "anna, bo, cleo, eva, fay")
    #expect(recorder.changes.map(\.deletedRows) == [[IndexPath(row: 3, section: 0)]])
    #expect(controller.changeOrigin == .store)
  }

  @Test func `a suspended list reports own changes and those of other processes separately`() throws
  {
    try controller.performFetch()
    var origins: [ChangeOrigin] = []
    recorder.onDidChange = { _ in origins.append(controller.changeOrigin) }
    controller.isSuspended = true
    try people.person("bo").setValue("abe", forKey: "name")
    people.context.processPendingChanges()
    let stranger = people.stranger()
    try stranger.insert(entityName: "Person").setValue("gus", forKey: "name")
    try stranger.save()
    try people.context.refreshFromStore()
    #expect(recorder.changes.isEmpty)
    controller.isSuspended = false
    #expect(picture(controller) == "abe, anna, cleo, dora, eva, fay, gus")
    #expect(origins == [.context, .store])
    #expect(recorder.changes.map(\.rowCount) == [1, 1])
  }

  @Test func `a refresh reads each cached row once`() throws {
    try controller.performFetch()
    _ = controller.fetchedObjects?.map { $0["name"] }
    let stranger = people.stranger()
    try stranger.fetch(people.request())[0].setValue("gus", forKey: "name")
    try stranger.save()
    let before = people.store.counts
    try people.context.refreshFromStore()
    #expect(picture(controller) == "bo, cleo, dora, eva, fay, gus")
    #expect(people.store.counts.snapshots - before.snapshots == 1)
    #expect(people.store.counts.rows - before.rows == 6)
  }
}

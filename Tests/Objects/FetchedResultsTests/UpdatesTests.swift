import Foundation
import ManagedObjects
import ObjectModel
import TestSupport
import Testing

@testable import FetchedResults

/// The changes of a list for closures and as an asynchronous sequence.
@MainActor
struct UpdatesTests {
  private final class Human: ManagedObject {}

  private let people: People
  private let controller: FetchedResultsController<Human>

  init() throws {
    people = try People("Ada Bob Cid")
    var request = FetchRequest<Human>(entityName: "Person")
    request.sortDescriptors = [FetchSortDescriptor("name")]
    controller = FetchedResultsController(fetchRequest: request, context: people.context)
    try controller.performFetch()
  }

  private func add(_ name: String) throws {
    try people.addPerson(.string(name))
    people.context.processPendingChanges()
  }

  @Test func `objects have the class of the controller`() throws {
    let fresh = ManagedObjectContext(coordinator: people.coordinator)
    var request = FetchRequest<Human>(entityName: "Person")
    request.sortDescriptors = [FetchSortDescriptor("name")]
    let list = FetchedResultsController(fetchRequest: request, context: fresh)
    try list.performFetch()
    let first: Human? = list.fetchedObjects?.first
    #expect(first?["name"] == "Ada")
  }

  @Test func `a closure sees each change until its observation ends`() throws {
    var counts: [Int] = []
    var observation: ResultsObservation? = controller.observe { counts.append($0.snapshot.count) }
    try add("Dan")
    try add("Eve")
    #expect(counts == [4, 5])
    observation?.cancel()
    try add("Fay")
    observation = controller.observe { _ in counts.append(0) }
    observation = nil
    try add("Gus")
    #expect(counts == [4, 5] && observation == nil)
  }

  @Test func `an observation that another one cancels during a change is not called`() throws {
    var calls: [String] = []
    var last: ResultsObservation?
    let first = controller.observe { _ in
      calls.append("first")
      last?.cancel()
    }
    let second = controller.observe { _ in calls.append("second") }
    last = controller.observe { _ in calls.append("last") }
    try add("Dan")
    try add("Eve")
    #expect(calls == ["first", "second", "first", "second"])
    withExtendedLifetime((first, second)) {}
  }

  @Test func `a sequence begins with the list and has each change`() async throws {
    var updates = controller.updates.makeAsyncIterator()
    let first = await updates.next()
    #expect(first?.snapshot.count == 3 && first?.change.isReload == true)
    try add("Dan")
    let second = try #require(await updates.next())
    #expect(second.change.insertedRows == [[0, 3]] && second.change.rowCount == 1)
    #expect(second.snapshot.itemIdentifiers(inSection: 0).count == 4 && second.origin == .context)
  }

  @Test func `what happened while nobody waited is one update that leads to the list`() async throws
  {
    var updates = controller.updates.makeAsyncIterator()
    #expect(await updates.next() != nil)
    try add("Dan")
    try people.context.delete(people.person("Ada"))
    people.context.processPendingChanges()
    try people.person("Bob").setValue("Zoe", forKey: "name")
    people.context.processPendingChanges()
    try people.person("Cid").setValue("text", forKey: "note")
    people.context.processPendingChanges()
    try people.context.save()
    let update = try #require(await updates.next())
    #expect(update.snapshot.ids.elementsEqual(controller.results?.ids ?? ObjectIDList([])))
    let change = update.change
    #expect(change.deletedRows == [[0, 0]] && change.insertedRows == [[0, 1]])
    #expect(change.moves == [.init(old: [0, 1], new: [0, 2])])
    #expect(change.updates == [.init(old: [0, 2], new: [0, 0])])
    #expect(!change.isReload && change.rowCount == 4)
  }

  @Test func `a reload that is followed by other changes is a reload`() async throws {
    var updates = controller.updates.makeAsyncIterator()
    #expect(await updates.next() != nil)
    people.context.reset()
    try add("Dan")
    try add("Eve")
    let update = try #require(await updates.next())
    #expect(update.change == .reload)
    #expect(update.snapshot.count == 5)
    try add("Fay")
    let next = try #require(await updates.next())
    #expect(next.change.insertedRows == [[0, 5]] && next.change.rowCount == 1)
  }

  @Test func `a sequence ends with its controller, after what it has not given yet`() async throws {
    var list: FetchedResultsController<Human>? = FetchedResultsController(
      controller.request, context: people.context)
    try list?.performFetch()
    let updates = try #require(list?.updates)
    list = nil
    var counts: [Int] = []
    for await update in updates { counts.append(update.snapshot.count) }
    #expect(counts == [3])
  }

  @Test func `a list reads prefetched relationships with its rows, in one query each`() throws {
    for number in 0..<20 {
      let city = try people.context.insert(entityName: "City")
      city["name"] = .string("City \(number)")
      try people.addPerson(.string("P\(number)"), in: city)
    }
    try people.context.save()
    let fresh = ManagedObjectContext(coordinator: people.coordinator)
    var request = FetchRequest<Human>(entityName: "Person")
    request.sortDescriptors = [FetchSortDescriptor("name")]
    request.relationshipKeyPathsForPrefetching = ["city"]
    let list = FetchedResultsController(fetchRequest: request, context: fresh)
    try list.performFetch()
    let before = people.store.counts.snapshots
    let names = list.fetchedObjects?.compactMap { $0.object(forKey: "city")?["name"].description }
    #expect(names?.count == 20)
    #expect(people.store.counts.snapshots - before == 2)
    // One that does not exist is reported.
    request.relationshipKeyPathsForPrefetching = ["town"]
    var errors: [any Error] = []
    let other = ManagedObjectContext(coordinator: people.coordinator)
    other.onError = { errors.append($0) }
    let wrong = FetchedResultsController(fetchRequest: request, context: other)
    try wrong.performFetch()
    _ = wrong.fetchedObjects?.first
    #expect(errors.count == 1)
  }
}

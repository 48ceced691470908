import Foundation
import ManagedObjects
import ObjectModel
import TestSupport
import Testing

@testable import FetchedResults

struct TrackingTests {
  private let people: People
  private let controller: FetchedResultsController<ManagedObject>
  private let recorder = Recorder()

  init() throws {
    people = try People("anna bo cleo dora")
    controller = people.controller()
    controller.delegate = recorder
    try controller.performFetch()
  }

  private func path(_ row: Int) -> IndexPath { IndexPath(row: row, section: 0) }

  @Test func `unsaved inserts, edits and deletes appear at once`() throws {
    try people.addPerson("bea")
    people.context.processPendingChanges()
    #expect(picture(controller) == "anna, bea, bo, cleo, dora")
    #expect(recorder.changes.last?.insertedRows == [path(1)])
    try people.person("anna").setValue("zoe", forKey: "name")
    try people.context.delete(people.person("cleo"))
    people.context.processPendingChanges()
    #expect(picture(controller) == "bea, bo, dora, zoe")
    let change = try #require(recorder.changes.last)
    #expect(change.moves == [.init(old: path(0), new: path(3))])
    #expect(change.deletedRows == [path(3)])
    #expect(recorder.events == ["will 4", "did 5", "will 5", "did 4"])
  }

  @Test func `a change without a move is an update, also of an unsaved object`() throws {
    let bo = try people.person("bo")
    bo["note"] = "x"
    people.context.processPendingChanges()
    #expect(recorder.changes.last?.updates == [.init(old: path(1), new: path(1))])
    let new = try people.addPerson("bea")
    people.context.processPendingChanges()
    new["note"] = "y"
    people.context.processPendingChanges()
    #expect(recorder.changes.last?.updates == [.init(old: path(1), new: path(1))])
    #expect(recorder.changes.last?.rowCount == 1)
  }

  @Test func `changes that do not affect the list are not reported`() throws {
    _ = try people.addCity("Oslo")
    people.context.processPendingChanges()
    try people.context.save()
    #expect(recorder.events.isEmpty)
    let adults = people.controller(.key("age", .greater, 17))
    let silent = Recorder()
    adults.delegate = silent
    try adults.performFetch()
    try people.person("bo").setValue("Bob", forKey: "name")
    people.context.processPendingChanges()
    #expect(silent.events.isEmpty)
    #expect(recorder.events.count == 2)
  }

  @Test func `a save sorts inserted objects by their permanent IDs among equal ones`() throws {
    let first = try people.addPerson("bo")
    people.context.processPendingChanges()
    #expect(controller.indexPath(forObject: first) == path(2))
    recorder.forget()
    try people.context.save()
    #expect(!first.objectID.isTemporary)
    #expect(controller.indexPath(for: first.objectID) == path(2))
    #expect(recorder.changes.last?.updates == [.init(old: path(2), new: path(2))])
  }

  @Test
  func `handlers are called after the delegate until they end, and the delegate is held weakly`()
    throws
  {
    var seen: [String] = []
    let observation = controller.observe { [recorder] update in
      seen.append("\(recorder.events.count) \(update.snapshot.count)")
    }
    try people.addPerson("eva")
    people.context.processPendingChanges()
    #expect(seen == ["2 5"])
    observation.cancel()
    var other: Recorder? = Recorder()
    controller.delegate = other
    try people.addPerson("fay")
    people.context.processPendingChanges()
    #expect(other?.events == ["will 5", "did 6"])
    #expect(seen.count == 1 && recorder.changes.count == 1)
    weak let gone = other
    other = nil
    #expect(gone == nil && controller.delegate == nil)
  }

  @Test func `a fetch or change inside a callback is deferred until it returns`() throws {
    recorder.onWillChange = { [people, controller, recorder] in
      recorder.onWillChange = {}
      controller.predicate = .key("name", .greater, "b")
      people.context.insertedObjects.first?["note"] = "seen"
      people.context.processPendingChanges()
    }
    try people.addPerson("eva")
    people.context.processPendingChanges()
    #expect(recorder.events.first == "will 4")
    #expect(recorder.events[1] == "did 5")
    for (index, event) in recorder.events.enumerated() {
      #expect(event.hasPrefix(index % 2 == 0 ? "will" : "did"))
    }
    #expect(picture(controller) == "bo, cleo, dora, eva")
  }

  @Test func `undo, redo and rollback update the list`() throws {
    try people.context.delete(people.person("bo"))
    people.context.processPendingChanges()
    #expect(controller.count == 3)
    people.context.undoHistory.undo()
    people.context.processPendingChanges()
    #expect(picture(controller) == "anna, bo, cleo, dora")
    try people.person("bo").setValue("zed", forKey: "name")
    people.context.processPendingChanges()
    people.context.rollback()
    #expect(picture(controller) == "anna, bo, cleo, dora")
  }

  @Test func `a reset of the context refetches the list`() throws {
    try people.addPerson("eva")
    people.context.processPendingChanges()
    people.context.reset()
    #expect(picture(controller) == "anna, bo, cleo, dora")
    #expect(recorder.changes.last?.isReload == true)
  }

  @Test func `saves of another context update the list`() throws {
    let other = ManagedObjectContext(coordinator: people.coordinator)
    let bo = try #require(try other.fetch(people.request())[1] as ManagedObject?)
    bo["name"] = "zed"
    try other.delete(other.fetch(people.request())[0])
    try other.save()
    people.context.processPendingChanges()
    #expect(picture(controller) == "cleo, dora, zed")
  }

  @Test func `a fetch limit is kept, and a deleted row is replaced by the next one`() throws {
    var request = people.request()
    request.fetchLimit = 2
    let controller = FetchedResultsController(fetchRequest: request, context: people.context)
    let recorder = Recorder()
    controller.delegate = recorder
    try controller.performFetch()
    #expect(picture(controller) == "anna, bo")
    try people.addPerson("aa")
    people.context.processPendingChanges()
    #expect(picture(controller) == "aa, anna")
    try people.context.delete(people.person("anna"))
    people.context.processPendingChanges()
    #expect(picture(controller) == "aa, bo")
    recorder.forget()
    try people.person("dora").setValue("dodo", forKey: "name")
    people.context.processPendingChanges()
    #expect(recorder.events.count <= 2 && picture(controller) == "aa, bo")
  }

  @Test func `a change of a related object updates the list`() throws {
    let oslo = try people.addCity("Oslo", size: 1)
    let bergen = try people.addCity("Bergen", size: 9)
    try people.person("anna").setObject(oslo, forKey: "city")
    try people.person("bo").setObject(bergen, forKey: "city")
    let big = people.controller(.key("city.size", .greater, 5))
    let byCity = people.controller(by: [FetchSortDescriptor("city.name")], sections: "city.name")
    try big.performFetch()
    try byCity.performFetch()
    #expect(picture(big) == "bo")
    #expect(picture(byCity) == ": cleo, dora | Bergen: bo | Oslo: anna")
    oslo["size"] = 8
    oslo["name"] = "Ålesund"
    people.context.processPendingChanges()
    #expect(picture(big) == "anna, bo")
    #expect(picture(byCity) == ": cleo, dora | Bergen: bo | Ålesund: anna")
    try people.context.delete(bergen)
    people.context.processPendingChanges()
    #expect(picture(big) == "anna")
    #expect(picture(byCity) == ": bo, cleo, dora | Ålesund: anna")
  }

  @Test func `an object that a related one gains or loses is the only change`() throws {
    let oslo = try people.addCity("Oslo", size: 1)
    for name in ["anna", "bo"] { try people.person(name).setObject(oslo, forKey: "city") }
    try people.context.save()
    let inOslo = FetchPredicate(
      .comparison(.init(.keyPath(["city"]), .equal, .object(oslo.objectID))))
    let lists = [
      people.controller(inOslo),
      people.controller(.key("city.name", .equal, "Oslo"), by: [FetchSortDescriptor("city.name")]),
    ]
    let recorder = Recorder()
    for list in lists {
      list.delegate = recorder
      try list.performFetch()
    }
    func counts(_ change: () throws -> Void) throws -> [Int] {
      let before = recorder.changes.count
      try change()
      people.context.processPendingChanges()
      return recorder.changes.dropFirst(before).map(\.rowCount)
    }
    #expect(try counts { try people.addPerson("cora", in: oslo) } == [1, 1])
    #expect(try counts { try people.context.delete(people.person("bo")) } == [1, 1])
    #expect(try counts { try people.person("dora").setObject(oslo, forKey: "city") } == [1, 1])
    // Its ID is permanent then.
    #expect(try counts { try people.context.save() } == [1, 1])
    let stranger = people.stranger()
    let foreign = try stranger.existingObject(with: people.person("anna").objectID)
    try foreign.setObject(nil, forKey: "city")
    try stranger.save()
    #expect(try counts { try people.context.refreshFromStore() } == [1, 1])
    #expect(try counts { oslo["name"] = "Christiania" }.first == 2)
    #expect(lists.map(\.count) == [2, 0])
  }

  @Test func `a suspended list reports collected changes as one`() throws {
    controller.isSuspended = true
    let eva = try people.addPerson("eva")
    people.context.processPendingChanges()
    try people.context.save()
    try people.person("bo").setValue("zed", forKey: "name")
    people.context.processPendingChanges()
    #expect(recorder.events.isEmpty)
    #expect(picture(controller) == "anna, zed, cleo, dora")
    controller.isSuspended = false
    #expect(picture(controller) == "anna, cleo, dora, eva, zed")
    #expect(recorder.changes.count == 1)
    #expect(controller.indexPath(forObject: eva) == path(3))
  }

  @Test func `a change that could not be read is applied with the next one`() throws {
    var request = people.request()
    request.fetchLimit = 4
    let controller = FetchedResultsController(fetchRequest: request, context: people.context)
    let recorder = Recorder()
    controller.delegate = recorder
    try controller.performFetch()
    people.store.failNextFetch(StoreError(.disk, doing: "fetching"))
    try people.context.delete(people.person("bo", in: controller))
    people.context.processPendingChanges()
    #expect(recorder.errors.count == 1)
    #expect(controller.mostRecentError != nil)
    #expect(controller.count == 4)
    try people.addPerson("eva")
    people.context.processPendingChanges()
    #expect(picture(controller) == "anna, cleo, dora, eva")
    #expect(controller.mostRecentError == nil)
  }

  /// People of a city, which is read; where its people are is not.
  private func inhabitants() throws -> (People, ManagedObject) {
    let people = try People()
    let city = try people.addCity("Rome", size: 1)
    for name: Value in ["anna", "bo"] { try people.addPerson(name, in: city) }
    try people.addPerson("cleo", in: people.addCity("Paris", size: 2))
    try people.context.save()
    return (people, city)
  }

  @Test func `what a change leads to is found later if it cannot be read`() throws {
    let (people, rome) = try inhabitants()
    let controller = people.controller(by: [.init("city.size"), .init("name")])
    let recorder = Recorder()
    controller.delegate = recorder
    try controller.performFetch()
    #expect(picture(controller) == "anna, bo, cleo")
    rome["size"] = 3
    people.store.failReads(StoreError(.disk, doing: "reading"))
    people.context.processPendingChanges()
    #expect(recorder.errors.count == 1)
    people.store.failReads(nil)
    try people.addPerson("dora")
    people.context.processPendingChanges()
    #expect(picture(controller) == "dora, cleo, anna, bo")
    #expect(controller.mostRecentError == nil)
  }

  @Test func `what can only be read by the store is fetched again`() throws {
    let (people, _) = try inhabitants()
    let controller = people.controller(try FetchPredicate(format: "ANY city.people.name == 'bo'"))
    try controller.performFetch()
    let ids = try ["bo", "anna"].map { try people.person($0, in: controller).objectID }
    let other = ManagedObjectContext(coordinator: people.coordinator)
    other.object(with: ids[1])["name"] = "zoe"
    try other.save()
    people.store.failReads(StoreError(.corrupt, doing: "reading"))
    people.context.processPendingChanges()
    #expect(controller.fetchedObjects?.map(\.objectID) == ids)
    people.store.failReads(nil)
    people.context.processPendingChanges()
    #expect(picture(controller) == "bo, zoe")
  }

  @Test(arguments: [0, 2])
  func `a row whose predicate cannot be read stays until it can be`(limit: Int) throws {
    let (people, _) = try inhabitants()
    var request = people.request(try FetchPredicate(format: "ANY city.people.name == 'bo'"))
    request.fetchLimit = limit
    let controller = FetchedResultsController(fetchRequest: request, context: people.context)
    let recorder = Recorder()
    controller.delegate = recorder
    try controller.performFetch()
    let anna = try people.person("anna", in: controller)
    anna["name"] = "zoe"
    people.store.failReads(StoreError(.disk, doing: "reading"))
    people.context.processPendingChanges()
    #expect(picture(controller) == "zoe, bo")
    #expect(recorder.errors.count == 1)
    people.store.failReads(nil)
    try people.addPerson("dora")
    people.context.processPendingChanges()
    #expect(picture(controller) == "bo, zoe")
    #expect(controller.mostRecentError == nil)
  }
}

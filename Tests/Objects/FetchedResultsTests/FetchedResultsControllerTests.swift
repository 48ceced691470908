import Foundation
import ManagedObjects
import ObjectModel
import TestSupport
import Testing

@testable import FetchedResults

struct FetchedResultsControllerTests {
  // MARK: Fetching

  @Test func `before the first fetch there are no results`() throws {
    let controller = try People("bo").controller()
    #expect(controller.sections == nil)
    #expect(controller.fetchedObjects == nil)
    #expect(controller.sectionIndexTitles == nil)
    #expect(controller.fetchState == .notFetched)
    #expect(controller.count == 0)
  }

  @Test func `a fetch fills sections, objects and index titles`() throws {
    let people = try People("Émile eva Anna bo")
    let controller = people.controller(
      by: [FetchSortDescriptor("name", comparison: .localized)], sections: "name:initial")
    try controller.performFetch()
    #expect(picture(controller) == "A: Anna | B: bo | E: Émile, eva")
    #expect(controller.sectionIndexTitles == ["A", "B", "E"])
    #expect(controller.sections?[2].numberOfObjects == 2)
    #expect(controller.fetchedObjects?.map { $0["name"] } == ["Anna", "bo", "Émile", "eva"])
    #expect(controller.object(at: IndexPath(row: 1, section: 2))["name"] == "eva")
    let bo = try people.person("bo")
    #expect(controller.indexPath(forObject: bo) == IndexPath(row: 0, section: 1))
    #expect(controller.fetchState == .complete)
  }

  @Test func `without a section key there is one section, even if empty`() throws {
    let controller = try People().controller()
    try controller.performFetch()
    #expect(controller.sections?.count == 1)
    #expect(controller.sections?.first?.numberOfObjects == 0)
    #expect(controller.sections?.first?.name == "")
  }

  @Test func `nil values are in a section with an empty name`() throws {
    let people = try People("bo")
    try people.addPerson(.null)
    let controller = people.controller(sections: "name")
    try controller.performFetch()
    #expect(controller.sections?.map(\.name) == ["", "bo"])
    #expect(controller.sectionIndexTitles == ["", "B"])
  }

  @Test func `a request without sort descriptors is an error`() throws {
    let controller = try People("bo").controller(by: [])
    let error = #expect(throws: FetchedResultsError.self) { try controller.performFetch() }
    #expect(error?.reason == .noSortDescriptors)
    #expect(error?.description.contains("at least one sort descriptor") == true)
    #expect(controller.fetchState == .notFetched)
  }

  @Test func `an order that splits a section is an error, and the displayed list stays`() throws {
    let people = try People("Anna bo Adam")
    let controller = people.controller()
    try controller.performFetch()
    let error = #expect(throws: FetchedResultsError.self) {
      try controller.set(
        predicate: nil, sortDescriptors: [FetchSortDescriptor("id")],
        sectionKey: SectionKey("name", .initial))
    }
    #expect(
      error?.description
        == "The fetched object at index 2 has an out of order section name 'A'. "
        + "Objects must be sorted by section name.")
    #expect(picture(controller) == "Adam, Anna, bo")
    #expect(controller.sectionKey == nil)
    #expect(controller.mostRecentError != nil)
    try controller.performFetch()
    #expect(controller.mostRecentError == nil)
  }

  @Test func `rows are read in batches`() throws {
    let people = try People((0..<200).map { "p\($0 + 1000)" }.joined(separator: " "))
    let context = ManagedObjectContext(coordinator: people.coordinator)
    var request = people.request()
    request.fetchBatchSize = 50
    let controller = FetchedResultsController(fetchRequest: request, context: context)
    try controller.performFetch()
    let before = people.store.counts.snapshots
    let names = controller.fetchedObjects?.prefix(50).map { $0["name"].description }
    #expect(names?.last == "p1049")
    #expect(people.store.counts.snapshots - before == 1)
    controller.prefetch(50..<200)
    #expect(controller.object(at: IndexPath(row: 199, section: 0))["name"] == "p1199")
    #expect(people.store.counts.snapshots - before == 2)
  }

  @Test func `one change in a long list reads few rows`() throws {
    let people = try People((0..<2000).map { "p\($0 + 10_000)" }.joined(separator: " "))
    let context = ManagedObjectContext(coordinator: people.coordinator)
    let controller = FetchedResultsController(fetchRequest: people.request(), context: context)
    try controller.performFetch()
    let person = controller.object(at: IndexPath(row: 7, section: 0))
    let before = people.store.counts.snapshots
    person["name"] = "p11500x"
    context.processPendingChanges()
    #expect(people.store.counts.snapshots - before <= 12)
    #expect(controller.indexPath(forObject: person) == IndexPath(row: 1500, section: 0))
  }

  // MARK: Index titles

  @Test(arguments: [
    ("apple", "A"), ("émile", "É"), ("7 of 9", "7"), ("-x", "-"), ("", ""), ("東京", "東"),
  ])
  func `the title of a section is its first letter`(name: String, title: String) {
    #expect(SectionIndex.title(forSectionName: name) == title)
  }

  @Test func `adjacent sections with the same index title share an entry that leads to the first`()
    throws
  {
    let people = try People("Adam Anna bo Bea Cleo")
    let controller = people.controller(
      by: [FetchSortDescriptor("name", comparison: .localized)], sections: "name")
    try controller.performFetch()
    #expect(controller.sectionIndexTitles == ["A", "B", "C"])
    #expect(controller.section(forSectionIndexTitle: "B", at: 1) == 2)
    #expect(controller.section(forSectionIndexTitle: "C", at: 0) == 4)
    #expect(controller.section(forSectionIndexTitle: "X", at: 0) == nil)
  }

  @Test func `the delegate sets index titles and can omit sections`() throws {
    let controller = try People("Adam bo Cleo").controller(
      by: [FetchSortDescriptor("name", comparison: .localized)], sections: "name")
    let recorder = Recorder()
    recorder.indexTitle = { $0 == "bo" ? nil : String($0.prefix(2)) }
    controller.delegate = recorder
    try controller.performFetch()
    #expect(controller.sectionIndexTitles == ["Ad", "Cl"])
    #expect(controller.section(forSectionIndexTitle: "Cl", at: 1) == 2)
    #expect(controller.sections?.map(\.indexTitle) == ["Ad", nil, "Cl"])
  }

  // MARK: The request

  @Test func `setting predicate, order and sections reports the difference`() throws {
    let people = try People("anna bo Bea")
    let controller = people.controller()
    let recorder = Recorder()
    controller.delegate = recorder
    controller.predicate = .key("name", .equal, "bo")
    #expect(recorder.events.isEmpty)
    try controller.performFetch()
    #expect(picture(controller) == "bo")
    controller.predicate = nil
    #expect(picture(controller) == "Bea, anna, bo")
    #expect(recorder.changes.last?.insertedRows.count == 2)
    controller.sortDescriptors = [FetchSortDescriptor("name", comparison: .localized)]
    #expect(picture(controller) == "anna, Bea, bo")
    #expect(recorder.changes.last?.moves.count == 1)
    controller.sectionNameKeyPath = "name:initial"
    #expect(picture(controller) == "A: anna | B: Bea, bo")
    #expect(controller.sectionNameKeyPath == "name:initial")
    #expect(recorder.changes.allSatisfy { !$0.isReload })
    #expect(controller.changeOrigin == .fetch)
  }

  @Test func `a setter that fails keeps the request and the list`() throws {
    let people = try People("anna bo")
    let controller = people.controller()
    try controller.performFetch()
    people.store.failNextFetch(StoreError(.disk, doing: "fetching"))
    controller.predicate = .key("name", .equal, "bo")
    #expect(picture(controller) == "anna, bo")
    #expect(controller.predicate == nil)
    #expect(controller.mostRecentError != nil)
  }

  @Test func `sort descriptors are changed to agree with a section key`() {
    let byAge = FetchSortDescriptor("age", ascending: false)
    #expect(SectionKey("name").agreeing([byAge]) == [FetchSortDescriptor("name"), byAge])
    #expect(
      SectionKey("name", .initial).agreeing([FetchSortDescriptor("name", ascending: false)])
        == [FetchSortDescriptor("name", ascending: false, comparison: .localized)])
    #expect(SectionKey("age").agreeing([byAge]) == [byAge])
  }
}

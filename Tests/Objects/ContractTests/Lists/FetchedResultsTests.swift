import FetchedResults
import Foundation
import ManagedObjects
import ObjectModel
import TestStores
import Testing

@Suite struct `Fetched results controllers` {
  /// A controller of people by name, and what it reports.
  private final class List {
    let office: Office
    let controller: FetchedResultsController<ManagedObject>
    private(set) var changes: [ResultsChange] = []
    private var observation: ResultsObservation?

    init(
      _ kind: Kind, where format: String? = nil, sections: String? = nil,
      by descriptors: [FetchSortDescriptor] = [FetchSortDescriptor("name")], isFetched: Bool = true
    ) throws {
      office = try Office(kind)
      let request = FetchRequest<ManagedObject>(
        entityName: "Person", predicate: try format.map { try FetchPredicate(format: $0) },
        sortDescriptors: descriptors)
      controller = FetchedResultsController(
        fetchRequest: request, context: office.context, sectionNameKeyPath: sections)
      observation = controller.observe { [weak self] in self?.changes.append($0.change) }
      if isFetched { try controller.performFetch() }
    }

    var names: [String] { controller.fetchedObjects?.map { $0.string("name") } ?? [] }

    /// The sections with their objects: "20: Bob | 36: Ada".
    var picture: String {
      (controller.sections.map(Array.init) ?? []).map {
        "\($0.name): " + $0.objects.map { $0.string("name") }.joined(separator: " ")
      }.joined(separator: " | ")
    }

    func process() { office.context.processPendingChanges() }
  }

  // Core Data: NSFetchedResultsController.fetchedObjects: nil before performFetch().
  @Test(arguments: stores) func `there are no objects before the first fetch`(kind: Kind) throws {
    let list = try List(kind, isFetched: false)
    #expect(list.controller.fetchedObjects == nil && list.controller.sections == nil)
  }

  // Core Data: NSFetchedResultsController.performFetch().
  @Test(arguments: stores) func `a fetch fills the list in order`(kind: Kind) throws {
    #expect(try List(kind).names == ["Ada", "Bob", "Cyd"])
  }

  // Core Data: NSFetchedResultsController.init: the request needs a sort descriptor.
  @Test(arguments: stores) func `a request without an order is an error`(kind: Kind) throws {
    #expect(throws: FetchedResultsError.self) { try List(kind, by: []) }
  }

  // Core Data: NSFetchedResultsController.performFetch() with pending changes.
  @Test(arguments: stores)
  func `objects that are taken back before changes are processed leave the list`(kind: Kind) throws
  {
    let list = try List(kind, isFetched: false)
    try list.office.context.make("Abe")
    try list.controller.performFetch()
    #expect(list.names == ["Abe", "Ada", "Bob", "Cyd"])
    list.office.context.rollback()
    #expect(list.names == ["Ada", "Bob", "Cyd"])
  }

  // Core Data: NSFetchedResultsController follows rollback().
  @Test(arguments: stores)
  func `the discarded insertion of a related object changes the list`(kind: Kind) throws {
    let list = try List(kind, where: "ANY pets.name == 'New'")
    #expect(list.names == [])
    try list.office.context.make("New", "Pet").setObject(list.office.person("Bob"), forKey: "owner")
    list.process()
    #expect(list.names == ["Bob"])
    list.office.context.rollback()
    #expect(list.names == [])
  }

  // Core Data: NSFetchedResultsController.sections: one section without a key path.
  @Test(arguments: stores) func `without a section key there is one section`(kind: Kind) throws {
    let list = try List(kind)
    #expect(list.controller.sections?.count == 1)
    #expect(list.controller.sections?.first?.numberOfObjects == 3)
  }

  // Core Data: NSFetchedResultsController.sectionNameKeyPath.
  @Test(arguments: stores) func `sections have the values of the section key`(kind: Kind) throws {
    let list = try List(
      kind, sections: "employer.name", by: [.init("employer.name"), .init("name")])
    #expect(list.picture == ": Cyd | Acme: Ada Bob")
  }

  // Core Data: NSFetchedResultsController.object(at:), indexPath(forObject:).
  @Test(arguments: stores) func `objects and index paths lead to each other`(kind: Kind) throws {
    let list = try List(
      kind, sections: "employer.name", by: [.init("employer.name"), .init("name")])
    let bob = try list.office.person("Bob")
    #expect(list.controller.indexPath(forObject: bob) == IndexPath(row: 1, section: 1))
    #expect(list.controller.object(at: IndexPath(row: 1, section: 1)) === bob)
    let acme = try list.office.context.named("Acme", "Company")
    #expect(list.controller.indexPath(for: acme.objectID) == nil)
  }

  // Core Data: NSFetchedResultsController.sectionIndexTitles, section(forSectionIndexTitle:at:).
  @Test(arguments: stores) func `index titles are the first letters of the sections`(kind: Kind)
    throws
  {
    let list = try List(kind, sections: "name")
    #expect(list.controller.sectionIndexTitles == ["A", "B", "C"])
    #expect(list.controller.section(forSectionIndexTitle: "B", at: 1) == 1)
  }

  // Core Data: controller(_:didChange:at:for: .insert, newIndexPath:).
  @Test(arguments: stores) func `a new object is inserted at its index`(kind: Kind) throws {
    let list = try List(kind)
    try list.office.context.make("Abe")
    list.process()
    #expect(list.names == ["Abe", "Ada", "Bob", "Cyd"] && list.changes.count == 1)
    #expect(list.changes[0].insertedRows == [IndexPath(row: 0, section: 0)])
  }

  // Core Data: controller(_:didChange:at:for: .delete).
  @Test(arguments: stores) func `a deleted object leaves the list`(kind: Kind) throws {
    let list = try List(kind)
    try list.office.context.delete(list.office.person("Bob"))
    list.process()
    #expect(list.names == ["Ada", "Cyd"])
    #expect(list.changes.map(\.deletedRows) == [[IndexPath(row: 1, section: 0)]])
  }

  // Core Data: controller(_:didChange:at:for: .update).
  @Test(arguments: stores) func `a changed object is updated at its index`(kind: Kind) throws {
    let list = try List(kind)
    try list.office.person("Bob")["age"] = 21
    list.process()
    let place = IndexPath(row: 1, section: 0)
    #expect(list.changes.map { $0.updates.map(\.new) } == [[place]])
    #expect(list.changes[0].moves.isEmpty && list.changes[0].insertedRows.isEmpty)
  }

  // Core Data: controller(_:didChange:at:for: .move, newIndexPath:).
  @Test(arguments: stores) func `an object whose order changes is moved`(kind: Kind) throws {
    let list = try List(kind)
    try list.office.person("Ada")["name"] = "Zoe"
    list.process()
    #expect(list.names == ["Bob", "Cyd", "Zoe"])
    let move = try #require(list.changes.first?.moves.first)
    #expect(move.old == IndexPath(row: 0, section: 0) && move.new == IndexPath(row: 2, section: 0))
  }

  // Core Data: an object that meets the predicate by now is inserted, another deleted.
  @Test(arguments: stores) func `objects come and go with the predicate`(kind: Kind) throws {
    let list = try List(kind, where: "age > 24")
    #expect(list.names == ["Ada", "Cyd"])
    try list.office.person("Ada")["age"] = 1
    try list.office.person("Bob")["age"] = 30
    list.process()
    #expect(list.names == ["Bob", "Cyd"])
  }

  // Core Data: a change that the predicate does not let in is not reported.
  @Test(arguments: stores) func `objects outside of the predicate are not reported`(kind: Kind)
    throws
  {
    let list = try List(kind, where: "age > 24")
    try list.office.person("Bob")["age"] = 21
    try list.office.context.named("Acme", "Company")["name"] = "ACME"
    list.process()
    #expect(list.changes.isEmpty)
  }

  // Core Data: controller(_:didChange:atSectionIndex:for:).
  @Test(arguments: stores) func `sections come and go with their objects`(kind: Kind) throws {
    let list = try List(kind, sections: "age", by: [.init("age"), .init("name")])
    #expect(list.picture == "20: Bob | 25: Cyd | 36: Ada")
    try list.office.person("Bob")["age"] = 36
    try list.office.context.make("Dan")["age"] = 50
    list.process()
    #expect(list.picture == "25: Cyd | 36: Ada Bob | 50: Dan")
    #expect(list.changes.map(\.deletedSections) == [[0]])
    #expect(list.changes.map(\.insertedSections) == [[2]])
  }

  // Core Data: changes of one event are one change of content.
  @Test(arguments: stores) func `many changes are reported as one`(kind: Kind) throws {
    let list = try List(kind)
    try list.office.context.make("Abe")
    try list.office.context.delete(list.office.person("Bob"))
    try list.office.person("Cyd")["name"] = "Al"
    list.process()
    #expect(list.names == ["Abe", "Ada", "Al"] && list.changes.count == 1)
  }

  // Core Data: NSFetchedResultsController follows saves of other contexts that are merged.
  @Test(arguments: stores) func `saves of other contexts change the list`(kind: Kind) throws {
    let list = try List(kind)
    let other = list.office.anotherContext()
    try other.make("Abe")
    try other.delete(other.named("Bob"))
    try other.named("Cyd")["name"] = "Zoe"
    try other.save()
    list.process()
    #expect(list.names == ["Abe", "Ada", "Zoe"])
  }

  // Core Data: saving does not change the list again.
  @Test(arguments: stores) func `a save leaves rows where they are`(kind: Kind) throws {
    let list = try List(kind)
    try list.office.context.make("Abe")
    list.process()
    let count = list.changes.count
    try list.office.context.save()
    #expect(list.names == ["Abe", "Ada", "Bob", "Cyd"])
    let later = list.changes.dropFirst(count)
    #expect(
      later.allSatisfy { $0.insertedRows.isEmpty && $0.deletedRows.isEmpty && $0.moves.isEmpty })
  }

  // Core Data: an undo changes the list back.
  @Test(arguments: stores) func `undo and rollback change the list back`(kind: Kind) throws {
    let list = try List(kind)
    try list.office.context.delete(list.office.person("Ada"))
    list.process()
    #expect(list.names == ["Bob", "Cyd"])
    list.office.context.undoHistory.undo()
    #expect(list.names == ["Ada", "Bob", "Cyd"])
    try list.office.context.make("Abe")
    list.process()
    list.office.context.rollback()
    #expect(list.names == ["Ada", "Bob", "Cyd"])
  }

  // Core Data: NSManagedObjectContext.reset(): the list is fetched again.
  @Test(arguments: stores) func `reset shows what is in the store`(kind: Kind) throws {
    let list = try List(kind)
    try list.office.context.make("Abe")
    list.process()
    list.office.context.reset()
    #expect(list.names == ["Ada", "Bob", "Cyd"])
  }

  // Core Data: NSFetchedResultsController with a key path through a relationship.
  @Test(arguments: stores) func `a related object that changes moves rows`(kind: Kind) throws {
    let list = try List(
      kind, sections: "manager.name", by: [.init("manager.name"), .init("name")])
    #expect(list.picture == ": Ada Cyd | Ada: Bob")
    try list.office.person("Ada")["name"] = "Ava"
    list.process()
    #expect(list.picture == ": Ava Cyd | Ava: Bob")
  }

  // Not in Core Data: a new predicate takes effect as a difference.
  @Test(arguments: stores) func `a new predicate changes the list`(kind: Kind) throws {
    let list = try List(kind)
    list.controller.predicate = try FetchPredicate(format: "age < 30")
    #expect(list.names == ["Bob", "Cyd"] && list.changes.count == 1)
    list.controller.predicate = nil
    #expect(list.names == ["Ada", "Bob", "Cyd"])
  }

  // Not in Core Data: a new order takes effect as a difference.
  @Test(arguments: stores) func `a new order changes the list`(kind: Kind) throws {
    let list = try List(kind)
    list.controller.sortDescriptors = [FetchSortDescriptor("age")]
    #expect(list.names == ["Bob", "Cyd", "Ada"])
  }

  // Core Data: NSFetchedResultsChangeType, as a test of a client writes what it expects.
  @Test(arguments: stores) func `an expected change can be written`(kind: Kind) throws {
    let list = try List(kind)
    try list.office.person("Ada")["name"] = "Bo"
    try list.office.person("Cyd")["age"] = 1
    list.process()
    var expected = ResultsChange()
    func row(_ old: Int, _ new: Int) -> ResultsChange.Row {
      .init(old: IndexPath(row: old, section: 0), new: IndexPath(row: new, section: 0))
    }
    expected.updates = [row(0, 0), row(2, 2)]
    #expect(list.changes.last == expected)
  }

  // Core Data: controllerWillChangeContent(_:), controllerDidChangeContent(_:).
  @Test(arguments: stores) func `a delegate reads the old list, then the new one`(kind: Kind) throws
  {
    final class Delegate: FetchedResultsControllerDelegate {
      var counts: [Int] = []
      func controllerWillChangeContent(_ controller: FetchedResultsController<ManagedObject>) {
        counts.append(controller.count)
      }
      func controller(
        _ controller: FetchedResultsController<ManagedObject>,
        didChangeContent change: ResultsChange
      ) { counts.append(controller.count) }
    }
    let (list, delegate) = (try List(kind), Delegate())
    list.controller.delegate = delegate
    try list.office.context.make("Abe")
    list.process()
    #expect(delegate.counts == [3, 4])
  }

  // Core Data: NSFetchRequest.fetchLimit of a controller.
  @Test(arguments: stores) func `a limit holds while objects come and go`(kind: Kind) throws {
    let office = try Office(kind)
    var request = FetchRequest<ManagedObject>(
      entityName: "Person", sortDescriptors: [.init("name")])
    request.fetchLimit = 2
    let controller = FetchedResultsController(fetchRequest: request, context: office.context)
    try controller.performFetch()
    try office.context.make("Abe")
    office.context.processPendingChanges()
    #expect(controller.fetchedObjects?.map { $0.string("name") } == ["Abe", "Ada"])
    try office.context.delete(office.person("Abe"))
    office.context.processPendingChanges()
    #expect(controller.fetchedObjects?.map { $0.string("name") } == ["Ada", "Bob"])
  }

  // Core Data: NSFetchedResultsController: what a row change leads to is the new list.
  @Test(arguments: stores) func `the reported change leads from the old list to the new one`(
    kind: Kind
  ) throws {
    let list = try List(kind, sections: "age", by: [.init("age"), .init("name")])
    let old = list.controller.sections?.map { $0.objects.map(\.objectID) } ?? []
    try list.office.person("Bob")["age"] = 36
    try list.office.context.delete(list.office.person("Cyd"))
    try list.office.context.make("Dan")
    list.process()
    let new = list.controller.sections?.map { $0.objects.map(\.objectID) } ?? []
    #expect(list.changes.first?.replayed(on: old, insertingFrom: new) == new)
  }
}

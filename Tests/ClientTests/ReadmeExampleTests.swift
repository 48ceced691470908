import Foundation
import ListProviders
import ManagedObjects
import ObjectModel
import PersistentContainers
import TerminalKit
import TestSupport
import Testing

// The example of the README, compiled and run; what stands there is what stands here.

// sample
final class Event: ManagedObject, EntityClass {
  static let entityName = "Event"
  static let timeStamp = AttributeKey<Event, Date>("timeStamp")
}
@MainActor func showEvents(in list: TableView, path: String) throws -> TableViewProvider<Event> {
  let model = ManagedObjectModel { Entity("Event") { Attribute("timeStamp", .date) } }
  let context = try PersistentContainer(path: path, model: model).viewContext
  let provider = TableViewProvider<Event>(display: Event.timeStamp, context: context)
  provider.attach(to: list)
  provider.performFetchAndReloadTableView()
  try Event.insert(into: context)[Event.timeStamp] = Date()
  try context.save()  // the row is in the list now; list.deleteCursorRow() deletes it, saved
  return provider
}
// end of sample

@MainActor
struct ReadmeExampleTests {
  @Test func `the README's list adds and deletes rows and saves them`() throws {
    let folder = try TemporaryFolder()
    let list = TableView()
    let path = folder.path("events.sqlite")
    let provider = try showEvents(in: list, path: path)
    #expect(list.numberOfRows == 1)
    #expect(provider.cursorObject.map { $0[Event.timeStamp] > .distantPast } == true)
    let second = try showEvents(in: TableView(), path: path)
    #expect(second.fetchedResultsController.count == 2)
    #expect(list.deleteCursorRow() && list.numberOfRows == 0)
    let left = try PersistentContainer(path: path).viewContext.count(for: FetchRequest<Event>())
    #expect(left == 1)
  }
}

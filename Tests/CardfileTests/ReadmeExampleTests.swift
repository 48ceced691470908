import Foundation
import ListProviders
import ManagedObjects
import ObjectModel
import SQLiteStore
import TerminalKit
import Testing

/// The example of the README, compiled and run; what stands there is what stands here.
@MainActor
struct ReadmeExampleTests {
  // sample
  /// A list of moments: `add()` on `+`, `list.deleteCursorRow()` on `d`; both are saved at once.
  @MainActor final class Timestamps {
    let list = TableView()
    private let context: ManagedObjectContext
    private let provider: TableViewProvider

    init(path: String) throws {
      let event = EntityDescription(
        name: "Event",
        attributes: [AttributeDescription("timeStamp", .date, isOptional: false)])
      let store = try SQLiteStore.create(
        path: path, model: ManagedObjectModel(entities: [event]))
      context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
      provider = TableViewProvider(
        entityName: "Event", displayAttributeName: "timeStamp", context: context)
      provider.attach(to: list)
      provider.performFetchAndReloadTableView()
    }

    func add(_ moment: Date = Date()) throws {
      try context.insert(entityName: "Event")["timeStamp"] = .date(moment)
      try context.save()  // the row is in the list now
    }
  }
  // end of sample

  @Test func `the README's list adds and deletes rows and saves them`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("events.sqlite")
    let timestamps = try Timestamps(path: path)
    try timestamps.add(Date(timeIntervalSince1970: 86400))
    try timestamps.add(Date(timeIntervalSince1970: 2 * 86400))
    #expect(timestamps.list.numberOfRows(inSection: 0) == 2)
    #expect(timestamps.list.deleteCursorRow())
    #expect(timestamps.list.numberOfRows(inSection: 0) == 1)
    #expect(try Database.rows(path, "SELECT * FROM Event").count == 1)
  }
}

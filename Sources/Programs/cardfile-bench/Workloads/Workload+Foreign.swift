import Dispatch
import FetchedResults
import Glibc
import ManagedObjects
import ObjectModel
import SQLiteStore

extension Workload {
  static let foreign = Workload(
    name: "foreign",
    meaning: "another program's commit moves a row to the top of a list; the commit, and all IDs "
      + "in binary order",
    goal: .milliseconds(300)
  ) { setting in
    let list = try ForeignList(path: setting.path)
    try list.commit()
    try list.follow()
    return try Measurement(
      setting,
      ours: {
        try list.commit()
        try list.follow()
      },
      raw: {
        try list.writer.execute("UPDATE people SET city = city || 'x' WHERE id = 1")
        try list.readAll()
      },
      reset: { try list.rest() })
  }

  static let commits = Workload(
    name: "commits",
    meaning: "processor time to follow ten commits of another program in one second; ten times all "
      + "IDs in binary order",
    goal: .milliseconds(500)
  ) { setting in
    let list = try ForeignList(path: setting.path)
    try list.commit()
    try list.follow()
    return try Measurement(
      setting, by: Measurement.processorTime,
      ours: {
        for _ in 1...10 {
          let end = ContinuousClock.now + .milliseconds(100)
          try list.commit()
          try list.context.refreshFromStore()
          while .now < end { list.poll() }
        }
      },
      raw: { for _ in 1...10 { try list.readAll() } },
      reset: {
        try list.follow()
        try list.rest()
      })
  }
}

/// A list by surname in sections, beside another program that changes it.
private final class ForeignList {
  let context: ManagedObjectContext
  let writer: RawDatabase
  private let controller: FetchedResultsController<ManagedObject>
  /// The key of the row that was moved to the top last.
  private var moved: Int64 = 1

  init(path: String) throws {
    let database = try RawDatabase(path: path)
    try database.execute("PRAGMA busy_timeout = 5000")
    writer = database
    let store = try SQLiteStore.open(path: path)
    context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    controller = FetchedResultsController(
      fetchRequest: FetchRequest<ManagedObject>(
        entityName: "people",
        sortDescriptors: [FetchSortDescriptor("surname", comparison: .localized)]),
      context: context, sectionKey: SectionKey("surname", .initial))
    try controller.performFetch(firstScreen: 60) {}
    while controller.fetchState != .complete { poll() }
  }

  /// Moves another row to the top, as another program.
  func commit() throws {
    moved += 1
    // Before all that was moved by a workload before.
    let name = UInt64.max - DispatchTime.now().uptimeNanoseconds
    try writer.execute("UPDATE people SET surname = ' \(name)' WHERE id = \(moved)")
  }

  /// Waits until the list has the row at the top.
  func follow() throws {
    try context.refreshFromStore()
    while controller.results?.ids.first?.key != .integer(moved) { poll() }
  }

  /// Takes what was fetched, or waits a moment.
  func poll() { if !controller.takeBackgroundResults() { usleep(1_000) } }

  /// Waits until the pause after the last fetch is over, as it is where commits are rare.
  func rest() throws {
    let end = ContinuousClock.now + .seconds(2)
    while .now < end { poll() }
  }

  /// Reads all IDs in binary order.
  func readAll() throws {
    let statement = try writer.prepare("SELECT id FROM people ORDER BY surname")
    while try statement.step() { consume(Int(statement.integer(at: 0))) }
  }
}

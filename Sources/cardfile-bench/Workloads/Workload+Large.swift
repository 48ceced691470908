import FetchedResults
import Glibc
import ManagedObjects
import ObjectModel
import SQLiteStore

extension Workload {
  static let delete200k = Workload(
    name: "delete200k",
    meaning: "plan and save the deletion of 200,000 objects (or all), undo it and save; DELETE and "
      + "INSERT of the same rows",
    goal: .ratio(3)
  ) { setting in
    let store = try SQLiteStore.open(path: setting.path)
    let database = try RawDatabase(path: setting.path)
    let count = min(200_000, setting.rows)
    return try Measurement(
      setting,
      ours: {
        let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
        var plan = FetchPlan(entityName: "people")
        plan.limit = count
        let ids = Array(try context.fetchIDs(plan).ids)
        try context.save(deleting: try context.deletionPlan(for: ids))
        context.undoHistory.undo()
        try context.save()
      },
      raw: {
        try database.execute(
          """
          CREATE TEMP TABLE kept AS SELECT * FROM people WHERE id <= \(count);
          BEGIN IMMEDIATE; DELETE FROM people WHERE id <= \(count); COMMIT;
          BEGIN IMMEDIATE; INSERT INTO people SELECT * FROM kept; COMMIT;
          DROP TABLE kept;
          """)
      })
  }

  static let foreign = Workload(
    name: "foreign",
    meaning: "another program's commit moves a row to the top of a list; the commit, and all IDs "
      + "in binary order",
    goal: .milliseconds(300)
  ) { setting in
    let store = try SQLiteStore.open(path: setting.path)
    let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    let controller = FetchedResultsController(
      fetchRequest: FetchRequest<ManagedObject>(
        entityName: "people",
        sortDescriptors: [FetchSortDescriptor("surname", comparison: .localized)]),
      context: context, sectionKey: SectionKey("surname", .initial))
    try controller.performFetch(firstScreen: 60) {}
    while controller.fetchState != .complete { poll(controller) }
    let database = try RawDatabase(path: setting.path)
    var id: Int64 = 1
    return try Measurement(
      setting,
      ours: {
        id += 1
        let moved = ObjectID(
          storeIdentifier: store.identifier, entityName: "people", key: .integer(id))
        try database.execute("UPDATE people SET surname = ' \(1_000_000 - id)' WHERE id = \(id)")
        try context.refreshFromStore()
        while controller.results?.ids.first != moved { poll(controller) }
      },
      raw: {
        try database.execute("UPDATE people SET city = city || 'x' WHERE id = 1")
        let statement = try database.prepare("SELECT id FROM people ORDER BY surname")
        while try statement.step() { consume(Int(statement.integer(at: 0))) }
      })
  }

  private static func poll(_ controller: FetchedResultsController<ManagedObject>) {
    if !controller.takeBackgroundResults() { usleep(1_000) }
  }
}

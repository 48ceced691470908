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
    goal: .ratio(3), memoryGoal: 200
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
}

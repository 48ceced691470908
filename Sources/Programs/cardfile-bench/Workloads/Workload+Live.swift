import FetchedResults
import ManagedObjects
import ObjectModel
import SQLiteStore

extension Workload {
  static let insert = Workload(
    name: "insert",
    meaning: "insert one object shown in a fetched-results list; one INSERT, rolled back",
    goal: .milliseconds(2)
  ) { setting in
    try measureChange(
      setting, sql: "INSERT INTO people(name, surname) VALUES ('New', 'Novak')"
    ) { context, _ in
      let object = try context.insert(entityName: "people")
      object["name"] = "New"
      object["surname"] = "Novak"
    }
  }

  static let change = Workload(
    name: "change",
    meaning: "change one object's surname, so that it moves in the list; one UPDATE, rolled back",
    goal: .milliseconds(2)
  ) { setting in
    try measureChange(
      setting, sql: "UPDATE people SET surname = 'Zzz' WHERE id = \(setting.rows / 2)"
    ) { context, id in context.object(with: id)["surname"] = "Zzz" }
  }

  static let delete = Workload(
    name: "delete",
    meaning: "delete one object shown in a fetched-results list; one DELETE, rolled back",
    goal: .milliseconds(2)
  ) { setting in
    try measureChange(setting, sql: "DELETE FROM people WHERE id = \(setting.rows / 2)") {
      context, id in
      try context.delete([id])
    }
  }

  /// Measures the time from changing one object to the updated list; nothing is saved.
  private static func measureChange(
    _ setting: Setting, sql: String,
    _ change: (ManagedObjectContext, ObjectID) throws -> Void
  ) throws -> Measurement {
    let store = try SQLiteStore.open(path: setting.path)
    let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    let request = FetchRequest<ManagedObject>(
      entityName: "people",
      sortDescriptors: ["surname", "name"].map { FetchSortDescriptor($0, comparison: .localized) })
    let controller = FetchedResultsController(
      fetchRequest: request, context: context, sectionKey: SectionKey("surname", .initial))
    try controller.performFetch()
    let id = ObjectID(
      storeIdentifier: store.identifier, entityName: "people",
      key: .integer(Int64(setting.rows / 2)))
    let database = try RawDatabase(path: setting.path)
    return try Measurement(
      setting,
      ours: {
        try change(context, id)
        context.processPendingChanges()
        consume(controller.count)
      },
      raw: {
        try database.execute("BEGIN IMMEDIATE")
        try database.execute(sql)
        try database.execute("ROLLBACK")
      },
      reset: {
        context.rollback()
        context.processPendingChanges()
      })
  }
}

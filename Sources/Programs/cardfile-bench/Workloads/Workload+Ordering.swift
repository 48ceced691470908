import FetchedResults
import ManagedObjects
import ObjectModel
import SQLiteStore

extension Workload {
  static let top = Workload(
    name: "top",
    meaning: "fetch the first 60 IDs in localized order by surname, with initials; the same in "
      + "binary order",
    goal: .ratio(0.3)
  ) { setting in
    try measure(localized(limit: 60), "ORDER BY surname LIMIT 60", setting)
  }

  static let order = Workload(
    name: "order",
    meaning: "fetch all IDs in localized order by surname, with initials and counts; all in "
      + "binary order",
    goal: .ratio(0.15)
  ) { setting in
    try measure(localized(limit: nil), "ORDER BY surname", setting)
  }

  static let like = Workload(
    name: "like",
    meaning: "IDs of rows with a word in any text column, ignoring case and accents; LIKE on the "
      + "same columns",
    goal: .ratio(0.15)
  ) { setting in
    try measureWords(["coffee"], like: ["coffee"], setting)
  }

  static let summary = Workload(
    name: "summary",
    meaning: "summarize the surnames: distinct and frequent ones, lengths; SQLite's GROUP BY",
    goal: .milliseconds(150)
  ) { setting in
    let store = try SQLiteStore.open(path: setting.path)
    let entity = try people(in: store)
    let columns = [SummaryPlan.Column(["surname"], of: entity, in: store.model)].compactMap(\.self)
    let plan = SummaryPlan(FetchPlan(entityName: "people"), columns: columns)
    let database = try RawDatabase(path: setting.path)
    return try Measurement(
      setting,
      ours: { consume(try store.summarize(plan)[0].distinctCount ?? 0) },
      raw: {
        let statement = try database.prepare(
          "SELECT surname, count(*), max(length(surname)) FROM people GROUP BY 1 ORDER BY 2 DESC")
        var count = 0
        while try statement.step() { count += 1 }
        consume(count)
      })
  }

  static let operators = Workload(
    name: "operators",
    meaning: "count rows by arithmetic, bits, lengths and two columns; the same in SQL",
    goal: .ratio(3)
  ) { setting in
    let conditions = [
      ("id + 1 > 500", "id + 1 > 500"), ("modulus:by:(id, 7) == 3", "id % 7 = 3"),
      ("id & 6 == 2", "id & 6 = 2"), ("length(name) > 5", "length(name) > 5"),
      ("name > surname", "name > surname"), ("id > 5 + 5 AND id < 2 * 9", "id > 10 AND id < 18"),
    ]
    let store = try SQLiteStore.open(path: setting.path)
    let plans = try plans(conditions.map(\.0), in: store)
    let database = try RawDatabase(path: setting.path)
    return try Measurement(
      setting,
      ours: { for plan in plans { consume(try store.count(plan, control: nil)) } },
      raw: {
        for (_, condition) in conditions {
          let statement = try database.prepare("SELECT count(*) FROM people WHERE \(condition)")
          while try statement.step() { consume(Int(statement.integer(at: 0))) }
        }
      })
  }

  static let end = Workload(
    name: "end",
    meaning: "open a list in store order and go to its last row, while the rest is being read; the "
      + "row with the greatest key",
    goal: .milliseconds(20)
  ) { setting in
    let store = try SQLiteStore.open(path: setting.path)
    let database = try RawDatabase(path: setting.path)
    return try Measurement(
      setting,
      ours: {
        let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
        let controller = FetchedResultsController(
          fetchRequest: FetchRequest<ManagedObject>(
            entityName: "people", sortDescriptors: [FetchSortDescriptor("id")]),
          context: context)
        try controller.performFetch(firstScreen: 60) {}
        guard try controller.show(.last, count: 60) || controller.fetchState == .complete else {
          throw RawDatabase.SQLiteError(description: "the list shows no other part")
        }
        while controller.part == .first { controller.takeBackgroundResults() }
        guard let last = controller.fetchedObjects?.last,
          last["id"] == .integer(Int64(setting.rows))
        else { throw RawDatabase.SQLiteError(description: "the last row is another one") }
        controller.cancelFetch()
      },
      raw: {
        let statement = try database.prepare("SELECT * FROM people ORDER BY id DESC LIMIT 1")
        while try statement.step() { consume(statement.text(at: 1).utf8.count) }
      })
  }

  private static func localized(limit: Int?) -> FetchPlan {
    var plan = FetchPlan(
      entityName: "people",
      sortDescriptors: [FetchSortDescriptor("surname", comparison: .localized)],
      sectionKey: SectionKey("surname", .initial))
    plan.limit = limit
    return plan
  }

  /// Measures a fetch beside a statement that reads the same IDs.
  static func measure(
    _ plan: FetchPlan, _ rest: String, _ setting: Setting, _ opened: SQLiteStore? = nil
  ) throws -> Measurement {
    let store = try opened ?? SQLiteStore.open(path: setting.path)
    let database = try RawDatabase(path: setting.path)
    return try Measurement(
      setting,
      ours: { consume(try store.fetch(plan, control: nil).ids.count) },
      raw: { try readIDs(database, rest) })
  }

  /// Reads IDs with the end of a statement.
  static func readIDs(_ database: borrowing RawDatabase, _ rest: String) throws {
    let statement = try database.prepare("SELECT id FROM people \(rest)")
    var ids: [Int64] = []
    while try statement.step() { ids.append(statement.integer(at: 0)) }
    consume(ids.count)
  }
}

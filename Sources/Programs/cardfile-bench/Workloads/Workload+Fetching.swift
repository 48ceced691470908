import ObjectModel
import SQLiteStore

extension Workload {
  static let sections = Workload(
    name: "sections",
    meaning: "fetch all IDs ordered, one section per surname; step the same query, compare "
      + "surnames",
    goal: .ratio(1.3)
  ) { setting in
    let plan = FetchPlan(
      entityName: "people",
      sortDescriptors: [FetchSortDescriptor("surname"), FetchSortDescriptor("name")],
      sectionKey: SectionKey("surname"))
    return try measureFetch(plan, setting)
  }

  static let initials = Workload(
    name: "initials",
    meaning: "the same in localized order, one section per initial; the same raw loop",
    goal: .ratio(1.3)
  ) { setting in
    let plan = FetchPlan(
      entityName: "people",
      sortDescriptors: ["surname", "name"].map { FetchSortDescriptor($0, comparison: .localized) },
      sectionKey: SectionKey("surname", .initial))
    return try measureFetch(plan, setting)
  }

  static let filter = Workload(
    name: "filter",
    meaning: "IDs of rows containing two words, ignoring case and accents; LIKE on the same columns"
  ) { setting in
    try measureWords(["coffee", "zurich"], like: ["coffee", "z_rich"], setting)
  }

  /// Measures a search for words in all text columns beside LIKE with patterns for them.
  static func measureWords(_ words: [String], like patterns: [String], _ setting: Setting) throws
    -> Measurement
  {
    let store = try SQLiteStore.open(path: setting.path)
    let entity = try people(in: store)
    let texts = PeopleDatabase.columns.filter { $0 != "born" }
    let text = words.joined(separator: " ")
    let plan = FetchPlan(
      entityName: "people",
      predicate: try FetchPredicate.words(text, in: entity, attributes: texts)
        .validated(for: entity, in: store.model))
    let condition = patterns.map { pattern in
      "(" + texts.map { "\($0) LIKE '%\(pattern)%'" }.joined(separator: " OR ") + ")"
    }.joined(separator: " AND ")
    return try measure(plan, "WHERE \(condition)", setting, store)
  }

  private static func measureFetch(_ plan: FetchPlan, _ setting: Setting) throws -> Measurement {
    let store = try SQLiteStore.open(path: setting.path)
    let database = try RawDatabase(path: setting.path)
    return try Measurement(
      setting,
      ours: { consume(try store.fetch(plan, control: nil).ids.count) },
      raw: { try stepThroughSurnames(database) })
  }

  /// Does the least work that any program needs for ordered IDs and sections.
  private static func stepThroughSurnames(_ database: borrowing RawDatabase) throws {
    let statement = try database.prepare(
      "SELECT id, surname FROM people ORDER BY surname, name, id")
    var ids: [Int64] = []
    var sections: [(name: [UInt8], count: Int)] = []
    while try statement.step() {
      ids.append(statement.integer(at: 0))
      let surname = statement.utf8(at: 1)
      if let last = sections.last, last.name.elementsEqual(surname) {
        sections[sections.count - 1].count += 1
      } else {
        sections.append((Array(surname), 1))
      }
    }
    consume(ids.count + sections.count)
  }

  /// Returns the entity of the table `people`.
  static func people(in store: SQLiteStore) throws -> EntityDescription {
    guard let entity = store.model.entity(named: "people") else {
      throw RawDatabase.SQLiteError(description: "the store has no entity for the table people")
    }
    return entity
  }
}

/// Uses a result, so that the optimizer does not remove the code that computes it.
@inline(never)
func consume(_ number: Int) {}

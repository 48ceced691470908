import ObjectModel
import SQLiteStore

extension Workload {
  static let sections = Workload(
    name: "sections",
    meaning: "fetch all IDs ordered, one section per surname; step the same query, compare "
      + "surnames",
    goal: .ratio(0.15)
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
    goal: .ratio(0.15)
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

  static let diacritics = Workload(
    name: "diacritics",
    meaning: "IDs of rows with a word that is written with diacritics; LIKE on the same columns",
    goal: .ratio(0.3)
  ) { setting in
    try measureWords(["zürich"], like: ["z_rich"], setting)
  }

  static let digits = Workload(
    name: "digits",
    meaning: "IDs of rows with digits in any column, in numbers and dates too; LIKE on the same "
      + "columns",
    goal: .ratio(0.3)
  ) { setting in
    try measureWords(["1984"], like: ["1984"], in: ["id"] + PeopleDatabase.columns, setting)
  }

  static let predicates = Workload(
    name: "predicates",
    meaning: "IDs of rows by comparisons, ranges, lists and parts of one column each; the same in "
      + "SQL",
    goal: .ratio(0.3)
  ) { setting in
    let conditions = [
      ("city == 'Oulu'", "city = 'Oulu'"), ("surname > 'T'", "surname > 'T'"),
      ("notes == NULL", "notes IS NULL"), ("city IN {'Oulu', 'Brno'}", "city IN ('Oulu', 'Brno')"),
      ("NOT surname BETWEEN {'B', 'Y'}", "NOT surname BETWEEN 'B' AND 'Y'"),
      ("name BEGINSWITH 'Ada'", "name GLOB 'Ada*'"),
      ("email CONTAINS '4711'", "email GLOB '*4711*'"),
      ("surname ENDSWITH 'mann' AND city != 'Graz'", "surname GLOB '*mann' AND city <> 'Graz'"),
    ]
    let store = try SQLiteStore.open(path: setting.path)
    let plans = try plans(conditions.map(\.0), in: store)
    let database = try RawDatabase(path: setting.path)
    return try Measurement(
      setting,
      ours: { for plan in plans { consume(try store.fetch(plan, control: nil).ids.count) } },
      raw: {
        for (_, condition) in conditions { try readIDs(database, "WHERE \(condition)") }
      })
  }

  /// Measures a search for words in columns, by default all texts, beside LIKE with patterns for
  /// them.
  static func measureWords(
    _ words: [String], like patterns: [String],
    in columns: [String] = PeopleDatabase.columns.filter { $0 != "born" }, _ setting: Setting
  ) throws -> Measurement {
    let store = try SQLiteStore.open(path: setting.path)
    let entity = try people(in: store)
    let text = words.joined(separator: " ")
    let plan = FetchPlan(
      entityName: "people",
      predicate: try FetchPredicate.words(text, in: entity, attributes: columns)
        .validated(for: entity, in: store.model))
    let condition = patterns.map { pattern in
      "(" + columns.map { "\($0) LIKE '%\(pattern)%'" }.joined(separator: " OR ") + ")"
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

  /// The fetches of people by conditions.
  static func plans(_ conditions: [String], in store: SQLiteStore) throws -> [FetchPlan] {
    let entity = try people(in: store)
    return try conditions.map { condition in
      FetchPlan(
        entityName: entity.name,
        predicate: try FetchPredicate(format: condition).validated(for: entity, in: store.model))
    }
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

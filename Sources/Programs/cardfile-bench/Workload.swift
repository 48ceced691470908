/// An operation to measure, and the raw SQLite loop it is compared with.
struct Workload: Sendable {
  let name: String
  /// What Cardfile does, and after a semicolon what the raw loop does.
  let meaning: String
  /// The goal of its time.
  let goal: Goal?
  /// The goal of its peak memory, in megabytes; nil for that of a list of as many rows.
  let memoryGoal: Double?
  /// Whether it measures a server, and not the database that is made.
  let isOnServer: Bool
  let measure: @Sendable (Setting) throws -> Measurement

  init(
    name: String, meaning: String, goal: Goal? = nil, memoryGoal: Double? = nil,
    isOnServer: Bool = false, measure: @escaping @Sendable (Setting) throws -> Measurement
  ) {
    self.name = name
    self.meaning = meaning
    self.goal = goal
    self.memoryGoal = memoryGoal
    self.isOnServer = isOnServer
    self.measure = measure
  }

  /// All workloads in the order in which they run.
  static let all = [
    top, order, like, diacritics, digits, predicates, summary, operators, end, json, delete200k,
    foreign, commits,
    sections, initials, cached, caching, faults, insert, change, delete, save, update,
    draw, filter, letters, typed, importing, upsert,
  ]

  /// Those that change no rows, or as a Core Data store's view lets them.
  static let reading = [
    top, order, like, diacritics, digits, predicates, summary, sections, initials, foreign,
  ]

  /// Those of a kind, for which one name stands: windows are for long lists.
  static let groups = ["reading": reading, "windows": windows, "postgres": postgres]
}

/// What a workload's time should not exceed.
enum Goal {
  /// A multiple of the raw loop's time.
  case ratio(Double)
  case milliseconds(Double)
}

/// The database that a workload runs on, and how often it runs.
struct Setting {
  /// The name of the workload.
  let workload: String
  /// The goal of its time; nil for none.
  let goal: Goal?
  /// The goal of its peak memory, in megabytes; nil for that of a list of as many rows.
  let memoryGoal: Double?
  /// The path of the database.
  let path: String
  /// The number of rows in the table `people`.
  let rows: Int
  /// The number of runs of each side.
  let runs: Int
}

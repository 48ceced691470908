/// An operation to measure, and the raw SQLite loop it is compared with.
struct Workload: Sendable {
  let name: String
  /// What Cardfile does, and after a semicolon what the raw loop does.
  let meaning: String
  let measure: @Sendable (Setting) throws -> Measurement

  /// All workloads in the order in which they run.
  static let all = [
    sections, initials, faults, insert, change, delete, save, draw, filter,
  ]
}

/// The database that a workload runs on, and how often it runs.
struct Setting {
  /// The name of the workload.
  let workload: String
  /// The path of the database.
  let path: String
  /// The number of rows in the table `people`.
  let rows: Int
  /// The number of runs of each side.
  let runs: Int
}

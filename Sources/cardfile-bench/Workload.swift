/// Something to measure, and what it is measured against.
struct Workload: Sendable {
  let name: String
  /// Our side, then the raw one.
  let meaning: String
  let measure: @Sendable (Setting) throws -> Measurement

  static let all = [
    sections, initials, faults, insert, change, delete, save, draw, filter,
  ]
}

/// What a workload runs on.
struct Setting {
  let workload: String
  let path: String
  let rows: Int
  let runs: Int
}

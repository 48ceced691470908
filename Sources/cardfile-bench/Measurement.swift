import Foundation

/// The median times of a workload and of the raw SQLite loop it is compared with, and its peak
/// memory.
struct Measurement {
  private let setting: Setting
  /// The median time of Cardfile's side in milliseconds.
  private let ours: Double
  /// The median time of the raw loop in milliseconds.
  private let raw: Double
  /// The process's peak memory during Cardfile's side, in megabytes; nil if the system does not
  /// report it.
  private let peak: Double?
  private let goal: Double

  /// Runs both sides alternately, so that other load on the machine affects both equally.
  ///
  /// - Parameters:
  ///   - setting: The database and the number of runs.
  ///   - ours: One run of Cardfile's side.
  ///   - raw: One run of the raw loop.
  ///   - reset: Undoes a run of Cardfile's side; not measured.
  /// - Throws: Any error that a closure throws.
  init(
    _ setting: Setting, ours: () throws -> Void, raw: () throws -> Void,
    reset: () throws -> Void = {}
  ) throws {
    self.setting = setting
    let clock = ContinuousClock()
    var times: (ours: [Double], raw: [Double]) = ([], [])
    var peak: Double?
    for _ in 0..<setting.runs {
      times.raw.append(try clock.measure(raw) / .milliseconds(1))
      PeakMemory.reset()
      times.ours.append(try clock.measure(ours) / .milliseconds(1))
      peak = PeakMemory.megabytes.map { max($0, peak ?? 0) }
      try reset()
    }
    self.ours = Self.median(times.ours)
    self.raw = Self.median(times.raw)
    self.peak = peak
    goal = PeakMemory.goal(rows: setting.rows)
  }

  /// The titles of the columns of ``line``.
  static let header = row(
    "workload", "rows", "ours ms", "raw ms", "ratio", "peak MB", "goal MB")

  /// The measurement as a line of the printed table.
  var line: String {
    Self.row(
      setting.workload, "\(setting.rows)", Self.rounded(ours), Self.rounded(raw),
      raw > 0 ? Self.rounded(ours / raw) : "-", peak.map { String(format: "%.0f", $0) } ?? "-",
      String(format: "%.0f", goal)) + (missesGoal ? "  MISSED" : "")
  }

  private var missesGoal: Bool { peak.map { $0 > goal } ?? false }

  /// The measurement as a JSON object on one line.
  var json: String {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
  }

  private static func row(_ name: String, _ columns: String...) -> String {
    columns.reduce(name.padding(toLength: 10, withPad: " ", startingAt: 0)) { line, column in
      line + String(repeating: " ", count: max(1, 12 - column.count)) + column
    }
  }

  private static func rounded(_ number: Double) -> String { String(format: "%.3f", number) }

  private static func median(_ times: [Double]) -> Double {
    let sorted = times.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}

extension Measurement: Encodable {
  private enum CodingKeys: String, CodingKey {
    case workload, rows, runs, milliseconds, rawMilliseconds, peakMegabytes
    case goalMegabytes, missesGoal
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(setting.workload, forKey: .workload)
    try container.encode(setting.rows, forKey: .rows)
    try container.encode(setting.runs, forKey: .runs)
    try container.encode(ours, forKey: .milliseconds)
    try container.encode(raw, forKey: .rawMilliseconds)
    try container.encodeIfPresent(peak, forKey: .peakMegabytes)
    try container.encode(goal, forKey: .goalMegabytes)
    try container.encode(missesGoal, forKey: .missesGoal)
  }
}

import Foundation

/// The median times of a workload and of the raw SQLite loop it is compared with, and its peak
/// memory.
struct Measurement: Encodable {
  private let workload: String
  private let rows: Int
  private let runs: Int
  /// The median time of Cardfile's side.
  private let milliseconds: Double
  /// The median time of the raw loop.
  private let rawMilliseconds: Double
  private let goalMilliseconds: Double?
  private let goalRatio: Double?
  /// The process's peak memory during Cardfile's side; nil if the system does not report it.
  private let peakMegabytes: Double?
  private let goalMegabytes: Double
  /// Whether the time is longer, and the memory larger, than their goals.
  private let missesTime: Bool
  private let missesMemory: Bool

  /// Runs both sides alternately, so that other load on the machine affects both equally; undoing a
  /// run is not measured.
  ///
  /// - Parameters:
  ///   - setting: The rows, and how often each side runs.
  ///   - clock: Returns the milliseconds since some moment.
  ///   - ours: Cardfile's side.
  ///   - raw: The loop that it is compared with.
  ///   - reset: Undoes what a side changed, after each run of either.
  /// - Throws: Any error that a closure throws.
  init(
    _ setting: Setting, by clock: () -> Double = Self.wallTime,
    ours: () throws -> Void, raw: () throws -> Void, reset: () throws -> Void = {}
  ) throws {
    var times: (ours: [Double], raw: [Double]) = ([], [])
    var peak: Double?
    PeakMemory.trim()
    for _ in 0..<setting.runs {
      var start = clock()
      try raw()
      times.raw.append(clock() - start)
      try reset()
      PeakMemory.reset()
      start = clock()
      try ours()
      times.ours.append(clock() - start)
      peak = PeakMemory.megabytes.map { max($0, peak ?? 0) }
      try reset()
    }
    workload = setting.workload
    rows = setting.rows
    runs = setting.runs
    milliseconds = Self.median(times.ours)
    rawMilliseconds = Self.median(times.raw)
    peakMegabytes = peak
    let goal = setting.memoryGoal ?? PeakMemory.goal(rows: rows)
    goalMegabytes = goal
    missesMemory = peak.map { $0 > goal } ?? false
    switch setting.goal {
    case .ratio(let ratio):
      (goalRatio, goalMilliseconds) = (ratio, nil)
      missesTime = milliseconds > ratio * rawMilliseconds
    case .milliseconds(let most):
      (goalRatio, goalMilliseconds) = (nil, most)
      missesTime = milliseconds > most
    case nil: (goalRatio, goalMilliseconds, missesTime) = (nil, nil, false)
    }
  }

  /// Milliseconds of a clock that never goes back.
  static func wallTime() -> Double { milliseconds(of: CLOCK_MONOTONIC) }

  /// The milliseconds of processor time that all threads of the process have used.
  static func processorTime() -> Double { milliseconds(of: CLOCK_PROCESS_CPUTIME_ID) }

  private static func milliseconds(of clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) * 1_000 + Double(time.tv_nsec) / 1_000_000
  }

  /// The titles of the columns of ``line``.
  static let header = row(
    "workload", "rows", "ours ms", "raw ms", "ratio", "goal", "peak MB", "goal MB")

  /// The measurement as a line of the printed table.
  var line: String {
    Self.row(
      workload, "\(rows)", Self.rounded(milliseconds), Self.rounded(rawMilliseconds),
      rawMilliseconds > 0 ? Self.rounded(milliseconds / rawMilliseconds) : "-",
      goalText, peakMegabytes.map { String(format: "%.0f", $0) } ?? "-",
      String(format: "%.0f", goalMegabytes))
      + (missesTime ? "  MISSED time" : "") + (missesMemory ? "  MISSED memory" : "")
  }

  private var goalText: String {
    if let goalRatio { return String(format: "%g", goalRatio) }
    return goalMilliseconds.map { String(format: "%.0f ms", $0) } ?? "-"
  }

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

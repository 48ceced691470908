import Foundation

/// Times of a workload and of the raw loop beside it.
struct Measurement {
  private let setting: Setting
  /// Medians, in milliseconds.
  private let ours: Double
  private let raw: Double

  /// Runs both sides in turn, so that whatever else the machine does falls on both.
  ///
  /// - Parameters:
  ///   - setting: What it runs on.
  ///   - ours: One run of our side.
  ///   - raw: One run of the raw loop.
  ///   - tidy: Puts things back after each run of our side; not measured.
  /// - Throws: What any of them throws.
  init(
    _ setting: Setting, ours: () throws -> Void, raw: () throws -> Void,
    tidy: () throws -> Void = {}
  ) throws {
    self.setting = setting
    let clock = ContinuousClock()
    var times: (ours: [Double], raw: [Double]) = ([], [])
    for _ in 0..<setting.runs {
      times.raw.append(try clock.measure(raw) / .milliseconds(1))
      times.ours.append(try clock.measure(ours) / .milliseconds(1))
      try tidy()
    }
    self.ours = Self.median(times.ours)
    self.raw = Self.median(times.raw)
  }

  static let header = row("workload", "rows", "ours ms", "raw ms", "ratio")

  var line: String {
    Self.row(
      setting.workload, "\(setting.rows)", Self.rounded(ours), Self.rounded(raw),
      raw > 0 ? Self.rounded(ours / raw) : "-")
  }

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
    case workload, rows, runs, milliseconds, rawMilliseconds
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(setting.workload, forKey: .workload)
    try container.encode(setting.rows, forKey: .rows)
    try container.encode(setting.runs, forKey: .runs)
    try container.encode(ours, forKey: .milliseconds)
    try container.encode(raw, forKey: .rawMilliseconds)
  }
}

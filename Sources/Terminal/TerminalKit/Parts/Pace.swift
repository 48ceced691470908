/// How fast work goes since it began, and how long the rest will take.
package struct Pace: Sendable {
  private let start: ContinuousClock.Instant
  /// Work that takes less time is not worth a forecast.
  private static let leastTime = Duration.seconds(2)

  package init(since start: ContinuousClock.Instant = .now) { self.start = start }

  /// The pace for a person: `55,000 a second, 3 s left`.
  ///
  /// - Parameters:
  ///   - completed: How much is done.
  ///   - total: How much there is to do; 0 if that is not known.
  ///   - now: The time.
  /// - Returns: The phrase; nil in the first moments.
  package func phrase(_ completed: Int, of total: Int, at now: ContinuousClock.Instant = .now)
    -> String?
  {
    let time = now - start
    guard completed > 0, time >= Self.leastTime else { return nil }
    let seconds = time / .seconds(1)
    let rate = "\(groupedDigits(Int(Double(completed) / seconds))) a second"
    guard total >= completed else { return rate }
    let left = Int((seconds * Double(total - completed) / Double(completed)).rounded(.up))
    return rate + (left < 120 ? ", \(left) s left" : ", \((left + 59) / 60) min left")
  }
}

import Testing

@testable import TerminalKit

@Suite struct PaceTests {
  private let start = ContinuousClock.now

  @Test(arguments: [
    (1_000, 4_000, 10, "100 a second, 30 s left"), (1_000, 0, 10, "100 a second"),
    (5_000, 100_000, 5, "1,000 a second, 95 s left"), (60, 6_000, 60, "1 a second, 99 min left"),
  ])
  func `the rate, and the time of the rest if the total is known`(
    _ completed: Int, _ total: Int, _ seconds: Int, _ phrase: String
  ) {
    #expect(
      Pace(since: start).phrase(completed, of: total, at: start + .seconds(seconds)) == phrase)
  }

  @Test func `nothing is forecast in the first moments, or before anything is done`() {
    #expect(Pace(since: start).phrase(10, of: 20, at: start + .seconds(1)) == nil)
    #expect(Pace(since: start).phrase(0, of: 20, at: start + .seconds(9)) == nil)
  }
}

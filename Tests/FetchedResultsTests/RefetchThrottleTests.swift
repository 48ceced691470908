import Testing

@testable import FetchedResults

struct RefetchThrottleTests {
  private let start = ContinuousClock.now

  @Test func `the first fetch begins at once`() {
    #expect(RefetchThrottle().remaining(now: start) == .zero)
  }

  @Test func `a pause is twice as long as the threads read before it`() {
    var throttle = RefetchThrottle()
    throttle.begin(after: .seconds(1), threads: 1, now: start)
    #expect(throttle.remaining(now: start) == .seconds(2))
    throttle.begin(after: .seconds(1), threads: 2, now: start)
    #expect(throttle.remaining(now: start) == .seconds(4))
    #expect(throttle.remaining(now: start + .seconds(3)) == .seconds(1))
    #expect(throttle.remaining(now: start + .seconds(9)) == .zero)
  }
}

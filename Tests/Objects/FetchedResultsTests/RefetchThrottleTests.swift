import Testing

@testable import FetchedResults

struct RefetchThrottleTests {
  private let start = ContinuousClock.now

  @Test func `the first fetch begins at once`() {
    #expect(RefetchThrottle().remaining(now: start) == .zero)
  }

  @Test func `a pause is four times as long as the processor was used for the fetch before it`() {
    var throttle = RefetchThrottle()
    throttle.begin(after: ReadingTime(wall: .seconds(1), processor: .seconds(1)), now: start)
    #expect(throttle.remaining(now: start) == .seconds(4))
    #expect(throttle.remaining(now: start + .seconds(3)) == .seconds(1))
    #expect(throttle.remaining(now: start + .seconds(9)) == .zero)
  }

  @Test func `a pause is twice as long as the fetch before it at least`() {
    var throttle = RefetchThrottle()
    throttle.begin(after: ReadingTime(wall: .seconds(5), processor: .seconds(1)), now: start)
    #expect(throttle.remaining(now: start) == .seconds(10))
  }
}

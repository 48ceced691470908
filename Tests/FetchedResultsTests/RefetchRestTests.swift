import Testing

@testable import FetchedResults

struct RefetchRestTests {
  private let start = ContinuousClock.now

  @Test func `the first fetch waits for nothing`() {
    #expect(RefetchRest().left(now: start) == .zero)
  }

  @Test func `a fetch leaves writers four times what it took`() {
    var rest = RefetchRest()
    rest.begin(after: .seconds(1), now: start)
    #expect(rest.left(now: start) == .seconds(4))
    #expect(rest.left(now: start + .seconds(3)) == .seconds(1))
    #expect(rest.left(now: start + .seconds(9)) == .zero)
  }
}

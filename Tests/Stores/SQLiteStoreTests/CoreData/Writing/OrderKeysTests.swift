import TestSupport
import Testing

@testable import SQLiteStore

struct OrderKeysTests {
  @Test(
    arguments: [
      ([nil, nil, nil], [1024, 2048, 3072]),
      ([1024, 2048, nil], [1024, 2048, 3072]),
      ([1024, nil, 2048], [1024, 1536, 2048]),
      ([nil, 1024, 2048], [512, 1024, 2048]),
      ([2048, 1024], [512, 1024]),
      ([1, nil, 2], [1024, 2048, 3072]),
      ([5, 7, 9], [5, 7, 9]),
      ([-3, nil], [-3, 1024]),
      ([7, 7], [3, 7]),
    ] as [([Int64?], [Int64])])
  func `as few keys as possible change`(keys: [Int64?], expected: [Int64]) {
    #expect(OrderKeys.ascending(keys) == expected)
  }

  @Test func `any keys become ascending`() {
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<2_000 {
      let keys: [Int64?] = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
        Bool.random(using: &generator) ? Int64.random(in: -50...9_000, using: &generator) : nil
      }
      let result = OrderKeys.ascending(keys)
      #expect(result.count == keys.count)
      #expect(zip(result, result.dropFirst()).allSatisfy { $0 < $1 }, "\(keys) \(result)")
    }
  }

  @Test func `a new key is the next multiple of the step`() {
    #expect(OrderKeys.next(after: nil) == 1024)
    #expect(OrderKeys.next(after: 1024) == 2048)
    #expect(OrderKeys.next(after: 1500) == 2048)
    #expect(OrderKeys.next(after: -9) == 1024)
    #expect(OrderKeys.next(after: .max) == nil)
  }
}

import TestSupport
import Testing

@testable import ObjectModel

struct AlgorithmTests {
  @Test func `a partitioning index is the first that meets the condition`() {
    for count in 0..<20 {
      for limit in 0...count {
        #expect((0..<count).partitioningIndex { $0 >= limit } == limit)
      }
    }
    #expect([1, 3, 5, 7][1...].partitioningIndex { $0 > 4 } == 2)
  }

  @Test(arguments: 0..<40)
  func `an increasing subsequence is increasing and as long as any`(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    let numbers = (0..<Int.random(in: 0..<9, using: &generator)).map { _ in
      Int.random(in: 0..<12, using: &generator)
    }
    func isIncreasing(_ numbers: [Int]) -> Bool {
      zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }
    }
    let indices = numbers.longestIncreasingSubsequence
    #expect(isIncreasing(indices))
    #expect(isIncreasing(indices.map { numbers[$0] }))
    let longest = (0..<(1 << numbers.count)).map { mask in
      let picked = numbers.indices.filter { mask & (1 << $0) != 0 }.map { numbers[$0] }
      return isIncreasing(picked) ? picked.count : 0
    }.max()
    #expect(indices.count == longest)
  }
}

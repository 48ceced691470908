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

  @Test func `elements are selected in order, each asked once, and not copied if all are`() {
    for mask in 0..<64 {
      var asked: [Int] = []
      let selected = (0..<6).map(\.self).selected { number in
        asked.append(number)
        return mask & (1 << number) != 0
      }
      #expect(selected == (0..<6).filter { mask & (1 << $0) != 0 })
      #expect(asked == Array(0..<6))
    }
    let all = Array(0..<6)
    let same = all.selected { _ in true }
    let addresses = [all, same].map { $0.withUnsafeBytes(\.baseAddress) }
    #expect(addresses[0] == addresses[1])
  }
}

import TestSupport
import Testing

@testable import TerminalKit

@Suite struct RowSetTests {
  @Test(arguments: 0..<40)
  func `a row set behaves like a set of integers`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var (set, model) = (RowSet(), Set<Int>())
    for _ in 0..<60 {
      let start = Int.random(in: 0..<40, using: &generator)
      let range = start..<start + Int.random(in: 0...6, using: &generator)
      if Bool.random(using: &generator) {
        set.insert(range)
        model.formUnion(range)
      } else {
        set.remove(range)
        model.subtract(range)
      }
      #expect(set.count == model.count)
      #expect(set.isEmpty == model.isEmpty)
      #expect((0..<50).allSatisfy { set.contains($0) == model.contains($0) })
      for (left, right) in zip(set.ranges, set.ranges.dropFirst()) {
        #expect(left.upperBound < right.lowerBound)
      }
    }
    var other = RowSet()
    for _ in 0..<4 {
      let start = Int.random(in: 0..<40, using: &generator)
      other.insert(start..<start + 5)
    }
    let rest = set.subtracting(other)
    #expect(
      (0..<50).allSatisfy { rest.contains($0) == (model.contains($0) && !other.contains($0)) })
  }
}

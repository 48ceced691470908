import Foundation
import ObjectModel
import TestSupport
import Testing

@Suite struct `Exact sums` {
  private func sum(_ numbers: [Double]) -> Double {
    var sum = ExactSum()
    for number in numbers { sum.add(number) }
    return sum.value
  }

  @Test func `a sum is rounded once`() {
    #expect(sum([]) == 0)
    #expect(sum(Array(repeating: 0.1, count: 10)) == 1)
    #expect(sum([1e100, 1, -1e100]) == 1)
    #expect(sum([1e16, 1, 1]) == 1e16 + 2)
    #expect(sum([.greatestFiniteMagnitude, .greatestFiniteMagnitude, -1e308]).isInfinite)
    let greatest = Double.greatestFiniteMagnitude
    #expect(sum([greatest, greatest, -greatest]) == greatest)
    #expect(sum([.leastNonzeroMagnitude, .leastNonzeroMagnitude]) == 2 * .leastNonzeroMagnitude)
    #expect(sum([-1.5, -2.25]) == -3.75)
    // Halfway between two doubles: the even one, unless there is anything more.
    #expect(sum([0x1p53, 1]) == 0x1p53)
    #expect(sum([0x1p53, 1, 0x1p-1000]) == 0x1p53 + 2)
    #expect(sum([-0x1p53, -1]) == -0x1p53)
    #expect(sum([.infinity, 1]) == .infinity)
    #expect(sum([.infinity, -.infinity]).isNaN)
  }

  @Test func `a sum is the same in every order`() {
    var random = SeededGenerator(seed: 3)
    for _ in 0..<200 {
      var numbers = (0..<50).map { _ in Double(bitPattern: random.next()) }.filter(\.isFinite)
      let first = sum(numbers)
      numbers.shuffle(using: &random)
      #expect(sum(numbers) == first || first.isNaN)
      let whole = (0..<50).map { _ in Int64(truncatingIfNeeded: random.next()) >> 20 }
      #expect(sum(whole.map(Double.init)) == Double(whole.reduce(0, +)))
    }
  }

  @Test func `numbers of several kinds add up`() {
    func add(_ values: Value...) -> NumberSum {
      var sum = NumberSum()
      for value in values { sum.add(value) }
      return sum
    }
    #expect(add().sum == .integer(0))
    #expect(add().average == .null)
    #expect(add(1, 2, "3", .null).sum == .integer(3))
    #expect(add(1, 2, "3", .null).average == .double(1.5))
    #expect(add(.integer(.max), .integer(.max), .integer(-.max)).sum == .integer(.max))
    #expect(add(.integer(.max), 1).sum == .double(0x1p63))
    let decimal = Decimal(string: "0.1") ?? 0
    #expect(add(.decimal(decimal), 2).sum == .decimal(decimal + 2))
    #expect(add(.decimal(decimal), .double(0.5)).sum == .double(0.6))
    #expect(add(.bool(true), .bool(false), .bool(true)).sum == .integer(2))
  }
}

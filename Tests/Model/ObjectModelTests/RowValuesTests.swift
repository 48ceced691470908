import Foundation
import ObjectModel
import TestSupport
import Testing

/// Rows that were read, and of which values were set, beside arrays of values.
struct RowValuesTests {
  private static let values: [Value] = [
    .null, 0, 1, .integer(.min), .double(1.5), "", "a", "é", "a\u{301}", .data(Data()),
    .data(Data([1, 2])),
  ]

  private func packed(_ values: [Value]) -> RowValues {
    var packer = RowPacker(count: values.count)
    for value in values { _ = value.withStoredField { packer.append($0) } }
    return packer.finish()
  }

  @Test func `a packer packs one row after another, of any length`() {
    var packer = RowPacker(count: 3)
    for length in [0, 3, 100, 5_000, 1, 200_000, 0] {
      let text = String(repeating: "é", count: length)
      let values: [Value] = [.string(text), .null, .data(Data(repeating: 7, count: length))]
      for value in values { _ = value.withStoredField { packer.append($0) } }
      let row = packer.finish()
      #expect(Array(row) == values)
      #expect(row[ifPresent: 0] == values[0])
      #expect(row[ifPresent: 3] == nil)
      #expect(RowValues(values)[ifPresent: 3] == nil)
    }
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `values that are set are those that are read`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<300 {
      let count = Int.random(in: 1...14, using: &generator)
      func random() -> [Value] { (0..<count).map { _ in generator.pick(Self.values) } }
      var plain = random()
      let first = plain
      let base = packed(plain)
      var row = base
      var others: [(RowValues, [Value])] = [(base, plain), (RowValues(plain), plain)]
      for _ in 0..<Int.random(in: 0...12, using: &generator) {
        let index = Int.random(in: 0..<count, using: &generator)
        let value = generator.pick(Self.values)
        if Bool.random(using: &generator) {
          row[index] = value
        } else {
          #expect(row.update(index, to: value) == (plain[index] != value))
        }
        plain[index] = value
        others.append((row, plain))
      }
      others.append((packed(plain), plain))
      let other = random()
      others.append((packed(other), other))
      #expect(Array(row) == plain)
      #expect(Array(base) == first)
      #expect(row.count == count)
      for (values, array) in others {
        let differing = plain.indices.filter { plain[$0] != array[$0] }
        #expect(row.indexes(differingFrom: values) == differing)
        #expect(values.indexes(differingFrom: row) == differing)
        #expect((row == values) == differing.isEmpty)
        for index in plain.indices {
          #expect(row.isEqual(to: values, at: index) == (plain[index] == array[index]))
          #expect(row.isNull(at: index) == plain[index].isNull)
        }
      }
      var fields: [Value] = []
      let isWhole = row.allFieldsSatisfy { index, field in
        #expect(index == fields.count)
        fields.append(field.value)
        return true
      }
      #expect(isWhole && fields == plain)
      for last in plain.indices { #expect(!row.allFieldsSatisfy { index, _ in index != last }) }
    }
  }

  @Test func `values that another row does not have differ`() {
    let (short, long) = (packed([1, "a"]), packed([1, "b", .null]))
    #expect(long.indexes(differingFrom: short) == [1, 2])
    #expect(short.indexes(differingFrom: long) == [1])
    var changed = long
    changed[2] = 5
    #expect(changed.indexes(differingFrom: short) == [1, 2])
    #expect(changed.indexes(differingFrom: long) == [2])
    #expect(RowValues([1, "b", .null]).indexes(differingFrom: short) == [1, 2])
    #expect(short != long)
  }
}

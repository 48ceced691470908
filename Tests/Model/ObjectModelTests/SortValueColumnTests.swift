import TestSupport
import Testing

@testable import ObjectModel

struct SortValueColumnTests {
  static let descriptors: [FetchSortDescriptor] = [
    .init("name"), .init("name", ascending: false), .init("name", comparison: .caseInsensitive),
    .init("name", ascending: false, comparison: .localized),
    .init("name", comparison: .localized(numeric: true)),
  ]
  static let texts: [Value] = [
    "b", "Ä", "a", "A", "äa", "a10", "a9", "", "\u{10000}", "e\u{301}", "é", "日本",
  ]

  /// Of no attribute, and of one that most of the values are not of the kind of.
  static let attributes: [AttributeDescription?] = [
    nil, AttributeDescription("name", .integer64), AttributeDescription("name", .string),
  ]

  @Test(arguments: descriptors, attributes)
  func `values of a column are in the order of values apart`(
    descriptor: FetchSortDescriptor, attribute: AttributeDescription?
  ) {
    let values = ValueOrderTests.values + Self.texts
    let apart = values.map { descriptor.sortValue($0, of: attribute) }
    var column = SortValueColumn(descriptor)
    var others = SortValueColumn(descriptor)
    for value in values { column.append(value, of: attribute) }
    for value in values.reversed() { others.append(value, of: attribute) }
    for (index, value) in apart.enumerated() {
      for (other, otherValue) in apart.enumerated() {
        let expected = descriptor.compare(value, otherValue)
        #expect(column.compare(index, other, in: column) == expected)
        #expect(column.compare(index, values.count - 1 - other, in: others) == expected)
      }
    }
  }
}

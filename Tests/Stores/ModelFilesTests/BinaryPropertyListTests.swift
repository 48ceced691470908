import Foundation
import Testing

@testable import ModelFiles

@Suite struct BinaryPropertyListTests {
  static let values: [PropertyListValue] = [
    .null, .bool(true), .bool(false), .integer(0), .integer(255), .integer(256), .integer(65_536),
    .integer(4_294_967_296), .integer(-1), .integer(.min), .integer(.max), .unsigned(.max),
    .unsigned(UInt64(Int64.max) + 1), .real(0.1), .real(-0.0), .real(.infinity),
    .date(-63_114_076_800), .date(123_456_789_012_345), .data(Data()), .data(Data(0..<255)),
    .string(""), .string("plain"), .string("Käse 🧀"), .string(String(repeating: "x", count: 300)),
    .uid(0), .uid(255), .uid(70_000), .array([]), .dictionary([:]),
    .array((0..<400).map { .integer($0) }),
    .dictionary(["b": .array([.string("b"), .uid(3)]), "a": .dictionary(["b": .null])]),
  ]

  @Test(arguments: values)
  func `a written value reads back equal`(value: PropertyListValue) throws {
    #expect(try BinaryPropertyListReader.value(of: value.binaryPropertyList()) == value)
  }

  @Test func `canonically equivalent strings, and 0 and -0, are not merged`() throws {
    let value = PropertyListValue.array([
      .string("\u{E9}"), .string("e\u{301}"), .real(0), .real(-0.0),
    ])
    let read = try BinaryPropertyListReader.value(of: value.binaryPropertyList())
    #expect(read.array?[0].string?.unicodeScalars.count == 1)
    #expect(read.array?[1].string?.unicodeScalars.count == 2)
    guard case .real(let zero)? = read.array?[3] else { throw UnexpectedValue() }
    #expect(zero.sign == .minus)
  }

  @Test func `equal values are written as equal bytes`() {
    let keys = (0..<50).map { "key \($0)" }
    let one = Dictionary(uniqueKeysWithValues: keys.map { ($0, PropertyListValue.string($0)) })
    let other = Dictionary(
      uniqueKeysWithValues: keys.reversed().map { ($0, PropertyListValue.string($0)) })
    #expect(
      PropertyListValue.dictionary(one).binaryPropertyList()
        == PropertyListValue.dictionary(other).binaryPropertyList())
  }

  @Test func `Foundation reads a written property list`() throws {
    let value = PropertyListValue.dictionary([
      "text": "Käse", "count": 70_000, "list": [-1, 0.5, true], "bytes": .data(Data([1, 2])),
    ])
    let read = try PropertyListSerialization.propertyList(
      from: value.binaryPropertyList(), format: nil)
    let expected: NSDictionary = [
      "text": "Käse", "count": 70_000, "list": [-1, 0.5, true], "bytes": Data([1, 2]),
    ]
    #expect((read as? NSDictionary) == expected)
  }

  @Test func `a property list written by Foundation is read`() throws {
    let list: [String: Any] = [
      "text": "Käse", "day": Date(timeIntervalSinceReferenceDate: 12.5),
      "numbers": [1, -1, 1 << 40],
      "real": 0.25, "bytes": Data([7]), "truth": true,
    ]
    let data = try PropertyListSerialization.data(
      fromPropertyList: list, format: .binary, options: 0)
    #expect(
      try BinaryPropertyListReader.value(of: data)
        == [
          "text": "Käse", "day": .date(12.5), "numbers": [1, -1, .integer(1 << 40)], "real": 0.25,
          "bytes": .data(Data([7])), "truth": true,
        ])
  }

  struct UnexpectedValue: Error {}
}

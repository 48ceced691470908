import Foundation
import ObjectModel
import TestSupport
import Testing

struct ValueOrderTests {
  /// Values of every kind, among them nearly equal ones.
  static let values: [Value] = [
    .null, .bool(false), .bool(true), 0, 1, -1, .integer(.max), .integer(.min),
    .integer(9_007_199_254_740_993), .integer(9_007_199_254_740_992),
    .double(9_007_199_254_740_992),
    .double(0x1p63), .double(-0x1p63), .double(.infinity), .double(-.infinity), .double(.nan), 0.0,
    .double(-0.0), 0.1, 1.5, 1e300, 1e-300, .decimal(Decimal(string: "0.1") ?? 0),
    .decimal(Decimal(string: "0.1000000000000000000001") ?? 0), .decimal(1),
    .decimal(Decimal(string: "9223372036854775807") ?? 0),
    .decimal(Decimal(string: "9223372036854775808") ?? 0),
    .date(Date(timeIntervalSince1970: 0)), .date(Date(timeIntervalSince1970: 1)),
    .date(Date(timeIntervalSinceReferenceDate: 1e-9)),
    .date(Date(timeIntervalSinceReferenceDate: 0)),
    "", "a", "B", "é", "e\u{301}", "\u{10000}", "\u{FFFD}",
    .url(URL(fileURLWithPath: "/a")), .data(Data()), .data(Data([0])), .data(Data([255, 1])),
    .uuid(UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))),
  ]

  @Test func `the sort order of values is total`() {
    for a in Self.values {
      #expect(Value.compare(a, a) == 0)
      for b in Self.values {
        #expect(Value.compare(a, b) == -Value.compare(b, a), "\(a) \(b)")
        guard Value.compare(a, b) <= 0 else { continue }
        let outOfOrder = Self.values.filter {
          Value.compare(b, $0) <= 0 && Value.compare(a, $0) > 0
        }
        #expect(outOfOrder == [], "\(a) \(b)")
      }
    }
  }

  @Test(arguments: [
    (Value.null, Value.integer(.min)), (.double(.infinity), ""), ("zz", .data(Data())),
    (.integer(9_007_199_254_740_992), .integer(9_007_199_254_740_993)),
    (.double(9_007_199_254_740_992), .integer(9_007_199_254_740_993)),
    (.integer(.max), .double(0x1p63)), ("B", "a"), ("e\u{301}", "é"), ("\u{FFFD}", "\u{10000}"),
    (.double(.nan), .double(-.infinity)), (.decimal(0.5), .integer(1)), (.bool(false), .bool(true)),
  ])
  func `values are sorted by kind, then by value`(first: Value, second: Value) {
    #expect(Value.compare(first, second) == -1)
    #expect(Value.compare(second, first) == 1)
  }

  @Test(arguments: [
    (Value.integer(1), Value.double(1)), (.bool(true), .integer(1)), (.decimal(1), .integer(1)),
    (.double(0.1), .decimal(Decimal(string: "0.1") ?? 0)), (.double(0), .double(-0.0)),
  ])
  func `numbers of different kinds compare by value`(a: Value, b: Value) {
    #expect(Value.compare(a, b) == 0)
  }

  @Test func `values are equal if they have the same kind and the same bytes`() {
    #expect(Value.string("é") != Value.string("e\u{301}"))
    #expect(Set([Value.string("é"), Value.string("e\u{301}")]).count == 2)
    #expect(Value.double(.nan) == Value.double(.nan))
    #expect(Value.integer(1) != Value.double(1))
  }

  @Test(arguments: [
    (Value.null, ""), (3.0, "3.0"), (0.1, "0.1"), (.bool(true), "true"),
    (.data(Data(count: 48_213)), "BLOB 48,213 bytes"), (.data(Data(count: 1)), "BLOB 1 byte"),
    (.date(Date(timeIntervalSince1970: 1_230_768_000)), "2009-01-01"),
    (.date(Date(timeIntervalSince1970: 1_230_817_500)), "2009-01-01 13:45:00"),
    (.date(Date(timeIntervalSince1970: 0.25)), "1970-01-01 00:00:00.250"),
    (.date(Date(timeIntervalSince1970: 1e18)), "1e+18 seconds since 1970"),
  ])
  func `a value is described for a person`(value: Value, description: String) {
    #expect(value.description == description)
  }

  @Test func `object keys are sorted by kind, then by value`() {
    let keys: [ObjectKey] = [
      .integer(-1), .integer(2), .composite([1, "a"]), .composite([1, "b"]), .composite([2]),
      .temporary(1), .temporary(9),
    ]
    var generator = SeededGenerator(seed: 1)
    #expect(keys.shuffled(using: &generator).sorted() == keys)
  }

  @Test(arguments: [
    ObjectKey.integer(12), .integer(.min), .temporary(3), .composite([]), .composite([.null]),
    .composite(["a/b, c%é\u{1F600}", "", .integer(-5), 0.1, .data(Data([0, 255]))]),
  ])
  func `an object ID reads back equal from its URI`(key: ObjectKey) throws {
    let id = ObjectID(storeIdentifier: "a b/c", entityName: "Käse \"x\"", key: key)
    #expect(ObjectID(uriRepresentation: id.uriRepresentation) == id)
    #expect(URL(string: id.uriRepresentation) != nil)
  }

  @Test(arguments: [
    "", "x-coredata://", "x-coredata:///A/p", "x-coredata://s/A/p1x", "x-coredata://s//p1",
    "x-coredata://s/A/kz1", "x-coredata://s/A/kbf", "x-coredata://s/A/ks%", "http://s/A/p1",
  ])
  func `an invalid object URI is refused`(text: String) {
    #expect(ObjectID(uriRepresentation: text) == nil)
  }
}

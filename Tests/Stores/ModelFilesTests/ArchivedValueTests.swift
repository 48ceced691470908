import Foundation
import ObjectModel
import Testing

@testable import ModelFiles

struct ArchivedValueTests {
  private func value(
    _ className: String, _ fields: [String: PropertyListValue]
  ) throws -> Value? {
    var maker = ArchiveMaker()
    let object = maker.object(className, fields)
    return try #require(KeyedArchive(maker.data(root: object)).root).plainValue
  }

  private func decimal(
    _ mantissa: [UInt8], exponent: Int, length: Int = 8, isNegative: Bool = false, order: Int = 1
  ) throws -> Value? {
    try value(
      "NSDecimalNumber",
      [
        "NS.mantissa": .data(Data(mantissa)), "NS.exponent": .integer(Int64(exponent)),
        "NS.length": .integer(Int64(length)), "NS.negative": .bool(isNegative),
        "NS.mantissa.bo": .integer(Int64(order)),
      ])
  }

  @Test func `decimals are read exactly, in either byte order`() throws {
    let small: [UInt8] = [0x39, 0x30] + [UInt8](repeating: 0, count: 14)
    #expect(try decimal(small, exponent: -3) == .decimal(Decimal(string: "12.345") ?? 0))
    #expect(try decimal([0x30, 0x39], exponent: 2, length: 1, order: 2) == .decimal(1_234_500))
    #expect(try decimal([], exponent: 0, length: 0, isNegative: true) == .decimal(0))
    let large: [UInt8] = [UInt8](repeating: 0xFF, count: 8) + [UInt8](repeating: 0, count: 8)
    #expect(
      try decimal(large, exponent: 0) == .decimal(Decimal(string: "18446744073709551615") ?? 0))
  }

  @Test func `invalid decimals do not crash the reader`() throws {
    for byte: UInt8 in [0, 1, 0x7F, 0xFF] {
      for exponent in [-129, -128, -127, -40, 0, 40, 100, 126, 127, 128, .max, .min] {
        for length in [-1, 0, 1, 7, 8, 9, 1_000] {
          for count in [0, 1, 15, 16, 17] {
            _ = try decimal(
              [UInt8](repeating: byte, count: count), exponent: exponent, length: length)
          }
        }
      }
    }
  }

  @Test func `objects of Foundation classes are read as values`() throws {
    let bytes = PropertyListValue.data(Data(0..<16))
    #expect(
      try value("NSUUID", ["NS.uuidbytes": bytes])
        == .uuid(UUID(uuidString: "00010203-0405-0607-0809-0A0B0C0D0E0F") ?? UUID()))
    #expect(try value("NSUUID", ["NS.uuidbytes": .data(Data(count: 3))]) == nil)
    #expect(
      try value("NSDate", ["NS.time": .real(-63_114_076_800)])
        == .date(Date(timeIntervalSinceReferenceDate: -63_114_076_800)))
    #expect(try value("NSMutableString", ["NS.string": "text"]) == .string("text"))
    #expect(try value("NSMutableString", ["NS.bytes": .data(Data("text".utf8))]) == .string("text"))
    #expect(try value("NSMutableData", ["NS.data": .data(Data([1]))]) == .data(Data([1])))
    #expect(try value("NSNumber", ["NS.intval": 7]) == .integer(7))
    #expect(try value("NSNumber", ["NS.dblval": 0.5]) == .double(0.5))
    #expect(try value("App.Thing", ["name": "text"]) == nil)
    var maker = ArchiveMaker()
    let base = maker.object("NSURL", ["NS.relative": "https://example.com/a/", "NS.base": .uid(0)])
    let url = maker.object("NSURL", ["NS.relative": "b", "NS.base": base])
    let read = try #require(KeyedArchive(maker.data(root: url)).root).plainValue
    #expect(read == .url(try #require(URL(string: "https://example.com/a/b"))))
  }
}

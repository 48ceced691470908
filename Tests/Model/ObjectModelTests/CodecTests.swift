import Foundation
import ObjectModel
import Testing

struct CodecTests {
  private static func attribute(
    _ type: AttributeType, _ encoding: ValueEncoding? = nil
  ) -> AttributeDescription { AttributeDescription("born", type, encoding: encoding) }

  static let date = Date(timeIntervalSince1970: 1_714_571_130)

  @Test(arguments: [
    (ValueEncoding.isoText, Value.string("2024-05-01T13:45:30Z")), (.unixSeconds, 1_714_571_130),
    (.unixMilliseconds, 1_714_571_130_000), (.referenceSeconds, 736_263_930.0),
    (.julianDay, .double(2_440_587.5 + 1_714_571_130.0 / 86_400)),
    (.unixMicroseconds, 1_714_571_130_000_000), (.unixNanoseconds, 1_714_571_130_000_000_000),
    (.referenceNanoseconds, 736_263_930_000_000_000), (.webKitMicroseconds, 13_359_044_730_000_000),
    (.fileTime, 133_590_447_300_000_000), (.dotNetTicks, 638_501_679_300_000_000),
    (.oleDays, .double(25_569 + 1_714_571_130.0 / 86_400)), (.unixSeconds, "1714571130"),
  ])
  func `a stored date is decoded`(encoding: ValueEncoding, stored: Value) throws {
    let attribute = Self.attribute(.date, encoding)
    guard case .date(let date) = attribute.decode(stored) else {
      Issue.record("no date")
      return
    }
    #expect(abs(date.timeIntervalSince(Self.date)) < 0.001)
    let later = try attribute.encode(.date(date.addingTimeInterval(86_400)), like: stored)
    #expect(Value.compare(later, stored) == 1)
    #expect(attribute.decode(later) == .date(date.addingTimeInterval(86_400)))
  }

  @Test(
    arguments: [
      (20_240_501, "2024-05-01"), ("20240501", "2024-05-01"), (20_241_301, "20241301"), (0, "0"),
    ] as [(Value, String)])
  func `a day as a number is decoded`(stored: Value, text: String) throws {
    let attribute = Self.attribute(.date, .calendarNumber)
    #expect(attribute.decode(stored).description == text)
    guard case .date(let date) = attribute.decode(stored) else { return }
    let later = try attribute.encode(.date(date.addingTimeInterval(86_400)), like: stored)
    #expect(later.description == "20240502")
  }

  @Test(arguments: [
    ValueEncoding.unixMicroseconds, .unixNanoseconds, .referenceNanoseconds, .webKitMicroseconds,
    .fileTime, .dotNetTicks,
  ])
  func `a date of whole parts of a second is read as it was written`(encoding: ValueEncoding) throws
  {
    let attribute = Self.attribute(.date, encoding)
    for seconds in [736_263_930.0, 736_263_930.123, 0.5, 900_000_000.999_999] {
      let date = Value.date(Date(timeIntervalSinceReferenceDate: seconds))
      let stored = try attribute.encode(date)
      #expect(attribute.decode(stored) == date)
      guard case .integer = stored else {
        Issue.record("\(stored) is no integer")
        continue
      }
    }
  }

  @Test(arguments: [
    (ValueEncoding.webKitMicroseconds, Value.integer(0)), (.fileTime, 0), (.dotNetTicks, 0),
    (.webKitMicroseconds, .integer(.max)), (.oleDays, 0.0),
  ])
  func `a number that stands for never is no date`(encoding: ValueEncoding, stored: Value) {
    #expect(Self.attribute(.date, encoding).decode(stored) == stored)
  }

  @Test(arguments: [
    ("2024-05-01", "2024-05-02 13:45:30"), ("2024-05-01 00:00:00", "2024-05-02 13:45:30"),
    ("2024-05-01T00:00:00", "2024-05-02T13:45:30"), ("2024-05-01T00:00Z", "2024-05-02T13:45:30Z"),
    ("2024-05-01 00:00:00.000", "2024-05-02 13:45:30.000"),
    ("2024-05-01 02:00:00+02:00", "2024-05-02 15:45:30+02:00"),
    ("2024-05-01 00:00:00.000000", "2024-05-02 13:45:30.000000"),
  ])
  func `a new date is stored in the form of the old one`(old: String, new: String) throws {
    let newDate = Value.date(Self.date.addingTimeInterval(86_400))
    #expect(try Self.attribute(.date).encode(newDate, like: .string(old)) == .string(new))
  }

  @Test func `a date without a time is stored without a time`() throws {
    let day = Value.date(Date(timeIntervalSince1970: 86_400))
    #expect(try Self.attribute(.date).encode(day, like: "2024-05-01") == "1970-01-02")
    #expect(try Self.attribute(.date).encode(day) == "1970-01-02")
  }

  @Test(arguments: [
    (AttributeType.date, ValueEncoding.isoText, Value.string("soon")), (.date, .isoText, 5),
    (.date, .unixSeconds, "x"), (.boolean, .booleanInteger, 2), (.boolean, .booleanInteger, "yes"),
    (.decimal, .decimalText, "12abc"), (.uuid, .uuidData, .data(Data([1]))),
    (.uuid, .uuidText, "x"),
    (.uri, .urlText, ""), (.date, .julianDay, .double(.infinity)),
  ])
  func `a stored value that does not match its encoding is returned and saved unchanged`(
    type: AttributeType, encoding: ValueEncoding, stored: Value
  ) throws {
    let attribute = Self.attribute(type, encoding)
    #expect(attribute.decode(stored) == stored)
    #expect(try attribute.encode(stored, like: stored) == stored)
  }

  @Test(arguments: [
    (AttributeType.boolean, ValueEncoding.booleanInteger, Value.integer(1)),
    (.decimal, .decimalText, "12.50"), (.decimal, .decimalNumber, 0.99),
    (.decimal, .decimalNumber, 7),
    (.uuid, .uuidText, "e621e1f8-c36c-495a-93fc-0c247a3e6e5f"),
    (.uuid, .uuidData, .data(Data(count: 16))),
    (.uri, .urlText, "https://example.com/a?b=c"),
    (.date, .isoText, "2024-05-01T13:45:30.123+02:00"),
    (.integer64, .native, 5), (.string, .native, "x"),
  ])
  func `decoding and encoding a stored value changes nothing`(
    type: AttributeType, encoding: ValueEncoding, stored: Value
  ) throws {
    let attribute = Self.attribute(type, encoding)
    let decoded = attribute.decode(stored)
    #expect(encoding == .native || decoded != stored)
    #expect(try attribute.encode(decoded, like: stored) == stored)
    #expect(attribute.decode(try attribute.encode(decoded)) == decoded)
  }

  @Test(arguments: [
    (
      AttributeType.integer16, Value.integer(40_000),
      "born must be an integer from -32,768 to 32,767, but 40000 is out of range."
    ),
    (.integer64, "x", "born must be an integer, but “x” is text."),
    (.integer64, 1.5, "born must be an integer, but 1.5 is a number."),
    (.date, 5, "born must be a date, but 5 is an integer."),
    (.boolean, 2, "born must be true or false, but 2 is an integer."),
    (.string, .data(Data()), "born must be text, but BLOB 0 bytes is bytes."),
  ])
  func `a value of the wrong type is refused with the attribute's name`(
    type: AttributeType, value: Value, sentence: String
  ) {
    let error = #expect(throws: ModelError.self) { try Self.attribute(type).encode(value) }
    #expect(error?.description == sentence)
  }

  @Test(arguments: [
    (AttributeType.integer32, "12", Value.integer(12)), (.integer64, " -7 ", -7),
    (.double, "1e3", 1000.0),
    (.decimal, "1.10", .decimal(Decimal(string: "1.1") ?? 0)), (.boolean, "Yes", true),
    (.boolean, "0", false),
    (.string, " x ", " x "), (.string, "", ""), (.integer64, "", .null), (.undefined, "5", 5),
    (.undefined, "5a", "5a"),
    (.date, "1970-01-02", .date(Date(timeIntervalSince1970: 86_400))), (.integer16, "1.0", 1),
  ])
  func `a typed value is parsed`(type: AttributeType, text: String, value: Value) throws {
    #expect(try Self.attribute(type).value(from: text) == value)
  }

  @Test(arguments: [
    (AttributeType.integer16, "99999"), (.integer64, "abc"), (.integer64, "1.5"), (.double, "0x10"),
    (.double, "nan"),
    (.date, "tomorrow"), (.boolean, "maybe"), (.uuid, "1"), (.decimal, "1,5"),
  ])
  func `an invalid typed value is refused`(type: AttributeType, text: String) {
    #expect(throws: ModelError.self) { try Self.attribute(type).value(from: text) }
  }
}

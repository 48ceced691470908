import Foundation
import ObjectModel
import TestSupport
import Testing

@testable import CardfileApp

/// What a person types, as a value of an attribute.
@Suite struct ValueInputTests {
  /// Wednesday 2026-11-18 at 08:26:40 UTC.
  private static let now = Date(timeIntervalSince1970: 1_795_000_000 - 9_600)

  private func reading(
    _ text: String, _ attribute: AttributeDescription, former: Value = .null
  ) -> Result<ValueInput.Reading, InputError> {
    ValueInput(attribute: attribute, former: former, now: Self.now).reading(of: text)
  }

  @Test(arguments: [
    ("2024-05-01", "2024-05-01"), ("2024-05-01 13:45", "2024-05-01 13:45:00"),
    ("2024-05-01T13:45:00.5+02:00", "2024-05-01 11:45:00.500"),
    ("1 May 2024", "2024-05-01"), ("may 1st, 2024", "2024-05-01"), ("1 may", "2026-05-01"),
    ("1 May 2024 13:45", "2024-05-01 13:45:00"), ("1.5.2024", "2024-05-01"),
    ("29 Feb 2024", "2024-02-29"), ("today", "2026-11-18"),
    ("tomorrow 9:05", "2026-11-19 09:05:00"),
    ("yesterday", "2026-11-17"), ("+3d", "2026-11-21"), ("-2w", "2026-11-04"),
    ("+1mo", "2026-12-18"), ("-9mo", "2026-02-18"), ("+1y", "2027-11-18"),
    ("now", "2026-11-18 08:26:40"), ("+90min", "2026-11-18 09:56:40"),
    ("today 1:45pm", "2026-11-18 13:45:00"), ("today 12am", "2026-11-18"),
  ])
  func `dates are read as people type them`(text: String, date: String) throws {
    let read = try reading(text, AttributeDescription("day", .date)).get()
    #expect(read.value.description == date)
    #expect(read.note?.contains(date) == true && read.note?.hasSuffix("UTC") == true)
  }

  @Test(arguments: [
    "5/1/2024", "2024-13-01", "30 Feb 2024", "1 May 24", "25:00", "soon", "1 2 3 4", "+3", "13:60",
    "May", "+9999999d", "0am",
  ])
  func `what is not a date says what to write`(text: String) {
    guard case .failure(let error) = reading(text, AttributeDescription("day", .date)) else {
      Issue.record("\(text) is read as a date")
      return
    }
    #expect(error.message.contains("2024-05-01"))
  }

  @Test(arguments: [
    AttributeType.integer16, .integer64, .double, .decimal, .date, .boolean, .uuid, .uri,
  ])
  func `an emptied text is not NULL, and it says how NULL is stored`(type: AttributeType) {
    for text in ["", "  "] {
      guard case .failure(let error) = reading(text, AttributeDescription("a", type)) else {
        Issue.record("“\(text)” is read as a value of \(type)")
        continue
      }
      #expect(error.message.contains("C-n makes it NULL"))
      let required = AttributeDescription("a", type, isOptional: false)
      guard case .failure(let refusal) = reading(text, required) else { continue }
      #expect(!refusal.message.contains("C-n"))
    }
  }

  @Test func `a time of day keeps the day of the former date`() throws {
    let former = Value.date(Date(timeIntervalSince1970: 86_400 * 3 + 5))
    let read = try reading("13:45", AttributeDescription("day", .date), former: former).get()
    #expect(read.value.description == "1970-01-04 13:45:00")
    #expect(read.note == "Sunday 1970-01-04 13:45:00 UTC")
    let none = try reading("13:45", AttributeDescription("day", .date)).get()
    #expect(none.value.description == "2026-11-18 13:45:00")
  }

  @Test(arguments: [
    ("1,234,567", AttributeType.integer64, Value.integer(1_234_567)),
    ("1 234", .integer32, .integer(1234)), ("-1'234", .integer16, .integer(-1234)),
    ("−5", .integer16, .integer(-5)), ("1_000", .integer16, .integer(1000)),
    ("1,234.5", .double, .double(1234.5)), ("1e3", .double, .double(1000)),
    (
      "12345678901234567890.12", .decimal,
      .decimal(Decimal(string: "12345678901234567890.12") ?? 0)
    ),
    ("yes", .boolean, .bool(true)), ("0", .boolean, .bool(false)),
    (
      "e621e1f8-c36c-495a-93fc-0c247a3e6e5f", .uuid,
      .uuid(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F") ?? UUID())
    ),
    ("00 ff", .binaryData, .data(Data([0, 255]))), ("", .string, ""), ("", .undefined, ""),
  ])
  func `values are read in the type of their attribute`(
    text: String, type: AttributeType, value: Value
  ) throws {
    #expect(try reading(text, AttributeDescription("x", type)).get().value == value)
  }

  @Test(arguments: [
    ("1,5", AttributeType.double, "a point: 1.5"), ("1,23,456", .integer64, "an integer"),
    ("40000", .integer16, "out of range"), ("1.5", .integer32, "an integer"),
    ("99999999999999999999", .integer64, "out of range"), ("ten", .decimal, "a number"),
    ("abc", .uuid, "a UUID"), ("0g", .binaryData, "hex digits"), ("abc", .binaryData, "two hex"),
    ("@/no/such/file", .binaryData, "there is no file"), ("http://a b", .uri, "%20"),
  ])
  func `what cannot be read says why`(text: String, type: AttributeType, words: String) {
    guard case .failure(let error) = reading(text, AttributeDescription("x", type)) else {
      Issue.record("\(text) is read")
      return
    }
    #expect(error.message.contains(words), "\(error.message)")
  }

  @Test(arguments: [
    ("length <= 3", "abcd", "at most 3 characters, this has 4"),
    ("SELF >= 10", "9", "it must be at least 10"),
    ("SELF MATCHES \"[a-z]+\"", "A1", "it must be like the pattern \"[a-z]+\""),
    ("SELF >= 1 AND SELF <= 5", "9", "it must meet SELF >= 1 AND SELF <= 5"),
  ])
  func `the rules of the model are said in words`(rule: String, text: String, words: String) {
    var details = AttributeDetails()
    details.property.validations = [ValidationRule(rule)]
    let type: AttributeType = Int(text) == nil ? .string : .integer16
    let attribute = AttributeDescription("x", type, details: details)
    #expect(reading(text, attribute) == .failure(InputError(words)))
  }

  @Test func `a value without a type keeps the kind of the former one`() throws {
    let attribute = AttributeDescription("x", .undefined)
    func value(_ text: String, _ former: Value) throws -> Value {
      try reading(text, attribute, former: former).get().value
    }
    #expect(try value("12", "a") == "12")
    #expect(try value("12", .null) == 12)
    #expect(try value("12", 1.5) == 12.0)
    #expect(try value("1.25", .null) == 1.25)
    #expect(try value("text", 3) == "text")
    #expect(try value("00 10", .data(Data([7]))) == .data(Data([0, 16])))
  }

  @Test func `bytes in a text are edited as bytes, and text in quotes replaces them`() throws {
    let attribute = plain("x", .string)
    let former = Value.data(Data([0xC3, 0xA9, 0xFF]))
    let input = ValueInput(attribute: attribute, former: former, now: Self.now)
    #expect(input.formerText == "c3 a9 ff" && input.takesBytes)
    #expect(try input.reading(of: "00").get().value == .data(Data([0])))
    #expect(try input.reading(of: "'it''s'").get().value == "it's")
    guard case .failure(let error) = input.reading(of: "") else {
      Issue.record("an empty prompt replaces bytes")
      return
    }
    #expect(error.message.contains("3 bytes stay"))
    #expect(try input.reading(of: "x''").get().value == .data(Data()))
  }

  @Test(arguments: [
    (Value.string("{\"a\":1}"), "{\"a\":2}", Value.string("{\"a\":2}")),
    (.data(Data("{\"a\":1}".utf8)), "{\"a\":2}", .data(Data("{\"a\":2}".utf8))),
    (.data(Data("abc".utf8)), "x'00ff'", .data(Data([0, 255]))),
    (.data(Data([0, 1])), "00ff", .data(Data([0, 255]))),
    (
      .data(Data(count: 16)), "00112233-4455-6677-8899-aabbccddeeff",
      .data(Data((0..<16).map { UInt8($0 * 17) }))
    ),
  ])
  func `text in a column of bytes is edited as text and stays what it was`(
    former: Value, text: String, value: Value
  ) throws {
    #expect(try reading(text, plain("x", .binaryData), former: former).get().value == value)
  }

  private func plain(
    _ name: String, _ type: AttributeType, _ encoding: ValueEncoding = .native,
    _ conversion: StorageConversion = .none, like example: Value = .null
  ) -> AttributeDescription {
    var attribute = AttributeDescription(name, type, encoding: encoding)
    attribute.reading = AttributeReading(
      .auto, reason: "", example: example, holdsUUIDs: type == .string && !example.isNull,
      conversion: conversion)
    return attribute
  }

  @Test(arguments: [
    ("1700000000", ValueEncoding.unixSeconds, Value.integer(1_700_000_000), "2023-11-14"),
    ("12.5", .isoText, .double(12.5), "no date"),
    ("0", .webKitMicroseconds, .integer(0), "no date"),
    ("770000000.5", .referenceSeconds, .double(770_000_000.5), "2025-05-27"),
    ("2024-05-01", .calendarNumber, .date(Date(timeIntervalSince1970: 1_714_521_600)), "Wednesday"),
  ])
  func `a number can be typed into any column of dates`(
    text: String, encoding: ValueEncoding, value: Value, note: String
  ) throws {
    let read = try reading(text, plain("d", .date, encoding)).get()
    #expect(read.value == value)
    #expect(read.note?.contains(note) == true)
  }

  @Test(arguments: [
    ("5", Value.integer(5)), ("1", true), ("no", false), ("-2.5", .double(-2.5)),
  ])
  func `a number can be typed into a column of booleans`(text: String, value: Value) throws {
    #expect(try reading(text, plain("b", .boolean, .booleanInteger)).get().value == value)
  }

  @Test func `text replaces text that is of another type than the column`() throws {
    #expect(
      try reading("soon", plain("d", .date, .unixSeconds), former: "never").get().value == "soon")
    #expect(try reading("r2", plain("n", .integer64), former: "r").get().value == "r2")
    #expect(throws: InputError.self) { try reading("soon", plain("d", .date, .isoText)).get() }
  }

  @Test(arguments: [
    (
      "12345678901234567.90", AttributeType.decimal, ValueEncoding.decimalNumber,
      StorageConversion.numeric
    ),
    ("12345678901234567.90", .double, .native, .real),
    ("9007199254740993", .double, .native, .real),
    ("123456789012345678901", .decimal, .decimalNumber, .numeric),
    ("123456789012345678901", .integer64, .native, .numeric), ("1e400", .double, .native, .real),
    ("007", .string, .native, .numeric), ("2024-05-01 13:45", .date, .calendarNumber, .numeric),
    ("0.1000000000000000055511151231257827", .double, .native, .real),
  ])
  func `what would be stored as another value is refused`(
    text: String, type: AttributeType, encoding: ValueEncoding, conversion: StorageConversion
  ) {
    guard case .failure(let error) = reading(text, plain("n", type, encoding, conversion)) else {
      Issue.record("\(text) is accepted")
      return
    }
    #expect(error.message.contains("stored as") || error.message.contains("out of range"))
  }

  @Test(arguments: [
    ("0.1", AttributeType.double, ValueEncoding.native, StorageConversion.real),
    ("1e300", .double, .native, .real),
    ("10.10", .decimal, .decimalNumber, .numeric), ("7", .string, .native, .numeric),
    ("abc", .string, .native, .numeric), ("16777217", .double, .native, .real),
    ("2024-05-01 13:45:30", .date, .julianDay, .real),
    ("2024-05-01 13:45:30.123", .date, .referenceNanoseconds, .numeric),
  ])
  func `what is stored as it is typed is accepted`(
    text: String, type: AttributeType, encoding: ValueEncoding, conversion: StorageConversion
  ) {
    #expect(throws: Never.self) { try reading(text, plain("n", type, encoding, conversion)).get() }
  }

  @Test(arguments: [
    ("001", Value.null, Value.string("001")), ("001", 5, "001"), ("12", "001", "12"),
    ("+5", 5, "+5"),
    ("0.5", 5, 0.5), ("-7", .null, -7), ("123456789012345678901", 5, "123456789012345678901"),
    ("1.10", .null, 1.1),
  ])
  func `digits without a type are a number only if it is written so`(
    text: String, former: Value, value: Value
  ) throws {
    #expect(try reading(text, plain("x", .undefined), former: former).get().value == value)
  }

  @Test(arguments: [
    (
      AttributeType.uuid, "6f9619ff-8b86-d011-b42d-00c04fc964ff",
      "aabbccdd-0000-4000-8000-0000000000ff"
    ),
    (.string, "6f9619ff8b86d011b42d00c04fc964ff", "aabbccdd0000400080000000000000ff"),
    (.string, "{6F9619FF-8B86-D011-B42D-00C04FC964FF}", "{AABBCCDD-0000-4000-8000-0000000000FF}"),
  ])
  func `a UUID is written like the others of the column`(
    type: AttributeType, example: String, written: String
  ) throws {
    let attribute = plain(
      "u", type, type == .uuid ? .uuidText : .native, .text, like: .string(example))
    for typed in [
      "AABBCCDD-0000-4000-8000-0000000000FF",
      "aabbccdd000040008000-0000000000ff".replacing("-", with: ""),
    ] {
      let read = try reading(typed, attribute).get()
      #expect(try attribute.encode(read.value) == .string(written))
      #expect(read.note == (typed == written ? nil : "stored as \(written)"))
    }
  }

  @Test func `bytes are imported from a file`() throws {
    let folder = try TemporaryFolder()
    try Data([1, 2, 3]).write(to: folder.url("bytes"))
    let read = try reading("@\(folder.path("bytes"))", AttributeDescription("x", .binaryData)).get()
    #expect(read.value == .data(Data([1, 2, 3])))
    #expect(read.note == "3 bytes")
  }
}

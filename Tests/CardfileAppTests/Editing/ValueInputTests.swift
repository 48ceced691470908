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

  @Test func `bytes in a text are not offered as its text`() {
    let input = ValueInput(
      attribute: AttributeDescription("x", .string), former: .data(Data([0, 255])), now: Self.now)
    #expect(input.formerText.isEmpty && !input.takesBytes)
  }

  @Test func `bytes are imported from a file`() throws {
    let folder = try TemporaryFolder()
    try Data([1, 2, 3]).write(to: folder.url("bytes"))
    let read = try reading("@\(folder.path("bytes"))", AttributeDescription("x", .binaryData)).get()
    #expect(read.value == .data(Data([1, 2, 3])))
    #expect(read.note == "3 bytes")
  }
}

import Foundation
import ObjectModel
import Testing

@Suite struct JSONParserTests {
  private func parse(_ text: String) throws -> JSONValue { try JSONParser.parse(Data(text.utf8)) }

  @Test(arguments: [
    ("0", JSONValue.integer(0)), ("-5", .integer(-5)),
    ("999999999999999999", .integer(999_999_999_999_999_999)),
    ("9223372036854775807", .integer(.max)),
    ("9223372036854775808", .number("9223372036854775808")),
    ("99999999999999999999", .number("99999999999999999999")), ("1e3", .number("1e3")),
  ])
  func `whole numbers of any length keep their value`(text: String, value: JSONValue) throws {
    #expect(try JSONValue(parsing: Data("[\(text), \(text)]".utf8)) == [value, value])
    #expect(try JSONValue(parsing: Data(text.utf8)) == value)
  }

  @Test(arguments: ["00", "07", "1a", "1 2", "12\"", "+1"])
  func `what only begins as a number is none`(text: String) {
    #expect(throws: StoreError.self) { try JSONValue(parsing: Data(text.utf8)) }
  }

  @Test func `values are read as they are written`() throws {
    let value = try parse(
      #" {"a": [1, -2.50, 1e3, 9223372036854775808], "é\u00e9\ud83d\ude00": "x\n\"/","#
        + #" "n": null, "t": true} "#
    )
    #expect(
      value == [
        "a": .array([.integer(1), .number("-2.50"), .number("1e3"), .number("9223372036854775808")]
        ),
        "éé😀": "x\n\"/", "n": .null, "t": true,
      ])
    #expect(try JSONParser.parse(value.bytes) == value)
    #expect(try JSONParser.parse(value.indentedBytes) == value)
  }

  @Test(arguments: [
    "", "{", "[1,]", "{\"a\" 1}", "[1] 2", "01", "+1", "nul", "\"a", "\"\\x\"", "NaN", "<html>",
    String(repeating: "[", count: 101) + String(repeating: "]", count: 101),
  ])
  func `what is no JSON is refused`(_ text: String) {
    #expect(throws: JSONParser.Failure.self) { try parse(text) }
  }

  @Test func `a file for people has a member a line`() throws {
    let value: JSONValue = ["b": [1, "x"], "a": [:], "c": ["d": .array([])]]
    let text = """
      {
        "a" : {},
        "b" : [
          1,
          "x"
        ],
        "c" : {
          "d" : []
        }
      }
      """
    #expect(String(decoding: value.indentedBytes, as: UTF8.self) == text)
  }
}

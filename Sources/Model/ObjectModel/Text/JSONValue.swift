public import Foundation

/// A value of JSON.
///
/// Numbers that are not whole are kept as they are written, so that decimals stay exact.
public enum JSONValue: Hashable, Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A whole number of 64 bits.
  case integer(Int64)
  /// Any other number, as its text.
  case number(String)
  /// A text.
  case string(String)
  /// An array.
  case array([JSONValue])
  /// An object. The last of two values of a key is used.
  case object([String: JSONValue])
}

extension JSONValue {
  /// The value of a key; nil if this is no object, or has none.
  public subscript(key: String) -> JSONValue? {
    if case .object(let values) = self { values[key] } else { nil }
  }

  /// The values of an object by key; nil if it is none.
  public var object: [String: JSONValue]? {
    if case .object(let values) = self { values } else { nil }
  }

  /// The elements of an array; nil if it is none.
  public var array: [JSONValue]? {
    if case .array(let values) = self { values } else { nil }
  }

  /// The text of a string; nil if it is none.
  public var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// A whole number, also one that is written as 7.0; nil if it is none.
  public var integer: Int64? {
    switch self {
    case .integer(let number): number
    case .number(let text): Double(text).flatMap { Int64(exactly: $0) }
    default: nil
    }
  }

  /// Parses JSON text.
  ///
  /// - Parameter data: The text in UTF-8, of which a hundred levels are read.
  /// - Throws: `StoreError` if it is no JSON, or nested more deeply.
  package init(parsing data: Data) throws(StoreError) {
    do { self = try JSONParser.parse(data) } catch {
      throw StoreError(.other, doing: "reading JSON", detail: error.words)
    }
  }

  /// What it is, for errors: “a text”.
  package var phrase: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .integer, .number: "a number"
    case .string: "a text"
    case .array: "an array"
    case .object: "an object"
    }
  }

  /// The value as JSON text, without blanks, keys in their order.
  public var bytes: Data {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return Data(bytes)
  }

  /// The value as JSON text for people, a member a line.
  package var indentedBytes: Data {
    var bytes: [UInt8] = []
    append(to: &bytes, depth: 0)
    return Data(bytes)
  }

  /// Appends the value; with a depth, a member a line.
  private func append(to bytes: inout [UInt8], depth: Int? = nil) {
    switch self {
    case .null: bytes += "null".utf8
    case .bool(let flag): bytes += flag.description.utf8
    case .integer(let number): bytes.append(decimal: number)
    case .number(let text): bytes += text.utf8
    case .string(let text): JSONText.append(text, to: &bytes)
    case .array(let values):
      Self.append(values, between: "[", "]", to: &bytes, depth) { value, bytes, depth in
        value.append(to: &bytes, depth: depth)
      }
    case .object(let values):
      let members = values.sorted { $0.key < $1.key }
      Self.append(members, between: "{", "}", to: &bytes, depth) { member, bytes, depth in
        JSONText.append(member.key, to: &bytes)
        bytes += (depth == nil ? ":" : " : ").utf8
        member.value.append(to: &bytes, depth: depth)
      }
    }
  }

  private static func append<Element>(
    _ elements: [Element], between start: String, _ end: String, to bytes: inout [UInt8],
    _ depth: Int?, _ append: (Element, inout [UInt8], Int?) -> Void
  ) {
    func beginLine(_ depth: Int?, _ bytes: inout [UInt8]) {
      guard let depth, !elements.isEmpty else { return }
      bytes += "\n".utf8
      bytes += repeatElement(UInt8(ascii: " "), count: depth * 2)
    }
    let inner = depth.map { $0 + 1 }
    bytes += start.utf8
    for (index, element) in elements.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      beginLine(inner, &bytes)
      append(element, &bytes, inner)
    }
    beginLine(depth, &bytes)
    bytes += end.utf8
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// Creates a ``string(_:)``.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Creates an ``integer(_:)``.
  public init(integerLiteral value: Int64) { self = .integer(value) }
  /// Creates a ``bool(_:)``.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// Creates an ``array(_:)``.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  /// Creates an ``object(_:)``.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(Dictionary(elements) { $1 })
  }
}

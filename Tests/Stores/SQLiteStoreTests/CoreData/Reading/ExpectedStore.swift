import Foundation
import ObjectModel

/// The contents of a real store as an independent reader has read them: `expected/NAME.json`.
struct ExpectedStore: Decodable {
  struct Entity: Decodable, Equatable {
    /// The number of objects with those of subentities.
    let count: Int
    /// The number of objects of the entity itself.
    let own: Int
    let abstract: Bool
    let superName: String?

    enum CodingKeys: String, CodingKey {
      case count, own, abstract
      case superName = "super"
    }
  }

  let entities: [String: Entity]
  /// The first three objects of each entity.
  let sample: [String: [[String: JSONValue]]]

  init(of name: String, in stores: URL) throws {
    let data = try Data(contentsOf: stores.appendingPathComponent("expected/\(name).json"))
    self = try JSONDecoder().decode(ExpectedStore.self, from: data)
  }
}

/// A value of JSON.
enum JSONValue: Decodable, Equatable {
  case null
  case bool(Bool)
  case integer(Int64)
  case double(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .integer(value)
    } else if let value = try? container.decode(Double.self) {
      self = .double(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([JSONValue].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }
}

extension JSONValue {
  /// Whether an attribute's value has this form in `fetch --format json`.
  ///
  /// - Parameters:
  ///   - value: The decoded value.
  ///   - attribute: The attribute.
  func stands(for value: Value, of attribute: AttributeDescription) -> Bool {
    switch (value, self) {
    case (.null, .null): true
    case (.bool(let flag), .bool(let other)): flag == other
    case (.integer(let number), .integer(let other)): number == other
    case (.integer(let number), .double(let other)): Double(number) == other
    case (.double(let number), .double(let other)): number == other
    case (.double(let number), .integer(let other)): number == Double(other)
    case (.decimal(let number), .string(let text)): Decimal(string: text) == number
    case (.date(let date), .string(let text)):
      (try? Date(text, strategy: .iso8601WithFraction)).map {
        abs($0.timeIntervalSince(date)) <= 0.001
      } ?? false
    case (.date(let date), .double(let seconds)): date.timeIntervalSinceReferenceDate == seconds
    case (.date(let date), .integer(let seconds)):
      date.timeIntervalSinceReferenceDate == Double(seconds)
    case (.uuid(let uuid), .string(let text)): uuid.uuidString == text
    case (.url(let url), .string(let text)): url.absoluteString == text
    case (.string(let own), .string(let text)): own == text
    case (.data(let data), .string(let text)): data.base64EncodedString() == text
    case (.data(let data), .object(let object)): object == ["bytes": .integer(Int64(data.count))]
    default: false
    }
  }
}

extension ParseStrategy where Self == Date.ISO8601FormatStyle {
  /// `2024-05-10T18:14:11.670Z`.
  fileprivate static var iso8601WithFraction: Date.ISO8601FormatStyle {
    Date.ISO8601FormatStyle(includingFractionalSeconds: true)
  }
}

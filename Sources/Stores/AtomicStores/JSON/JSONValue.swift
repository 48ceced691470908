/// A value of JSON.
enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  /// The value of a key; nil if this is no object, or has none.
  subscript(key: String) -> JSONValue? {
    if case .object(let values) = self { values[key] } else { nil }
  }
}

extension JSONValue: Codable {
  init(from decoder: any Decoder) throws {
    if var values = try? decoder.unkeyedContainer() {
      var array: [JSONValue] = []
      while !values.isAtEnd { array.append(try values.decode(JSONValue.self)) }
      self = .array(array)
    } else if let values = try? decoder.container(keyedBy: Key.self) {
      let pairs = try values.allKeys.map {
        ($0.stringValue, try values.decode(JSONValue.self, forKey: $0))
      }
      self = .object(Dictionary(pairs) { first, _ in first })
    } else {
      let value = try decoder.singleValueContainer()
      if value.decodeNil() {
        self = .null
      } else if let bool = try? value.decode(Bool.self) {
        self = .bool(bool)
      } else if let integer = try? value.decode(Int64.self) {
        self = .integer(integer)
      } else if let number = try? value.decode(Double.self) {
        self = .number(number)
      } else {
        self = .string(try value.decode(String.self))
      }
    }
  }

  func encode(to encoder: any Encoder) throws {
    switch self {
    case .array(let values):
      var container = encoder.unkeyedContainer()
      for value in values { try container.encode(value) }
    case .object(let values):
      var container = encoder.container(keyedBy: Key.self)
      for (key, value) in values { try container.encode(value, forKey: Key(key)) }
    default:
      var container = encoder.singleValueContainer()
      switch self {
      case .bool(let bool): try container.encode(bool)
      case .integer(let integer): try container.encode(integer)
      case .number(let number): try container.encode(number)
      case .string(let string): try container.encode(string)
      default: try container.encodeNil()
      }
    }
  }

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
  }
}

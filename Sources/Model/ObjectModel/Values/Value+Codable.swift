import Foundation

extension Value: Codable {
  private enum Kind: String, CodingKey, CaseIterable {
    case integer, double, decimal, string, bool, date, data, uuid, url
  }

  /// Decodes a value: null, or an object with one key, the kind, such as `{"date": "0.5"}`.
  ///
  /// - Throws: `DecodingError` for any other content.
  public init(from decoder: any Decoder) throws {
    if try decoder.singleValueContainer().decodeNil() {
      self = .null
      return
    }
    let container = try decoder.container(keyedBy: Kind.self)
    guard container.allKeys.count == 1, let kind = container.allKeys.first else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "a value must have exactly one key, its kind"))
    }
    func text() throws -> String { try container.decode(String.self, forKey: kind) }
    func checked<Wrapped>(_ value: Wrapped?) throws -> Wrapped {
      guard let value else {
        throw DecodingError.dataCorruptedError(
          forKey: kind, in: container, debugDescription: "the text is not a valid \(kind.rawValue)")
      }
      return value
    }
    switch kind {
    case .integer: self = .integer(try container.decode(Int64.self, forKey: kind))
    case .double: self = .double(try checked(Double(try text())))
    case .decimal: self = .decimal(try checked(Number.decimal(text: try text())))
    case .string: self = .string(try text())
    case .bool: self = .bool(try container.decode(Bool.self, forKey: kind))
    case .date:
      self = .date(Date(timeIntervalSinceReferenceDate: try checked(Double(try text()))))
    case .data: self = .data(try checked(Data(base64Encoded: try text())))
    case .uuid: self = .uuid(try checked(UUID(uuidString: try text())))
    case .url: self = .url(try checked(URL(string: try text())))
    }
  }

  /// Encodes the value: null, or an object with one key, its kind.
  ///
  /// Doubles and dates (seconds since 2001) are encoded as text, the shortest that parses back to
  /// the same number, so that no digit is lost and infinities can be encoded.
  ///
  /// - Parameter encoder: The encoder to write to.
  /// - Throws: Any error of the encoder.
  public func encode(to encoder: any Encoder) throws {
    if isNull {
      var container = encoder.singleValueContainer()
      try container.encodeNil()
      return
    }
    var container = encoder.container(keyedBy: Kind.self)
    switch self {
    case .null: break
    case .integer(let value): try container.encode(value, forKey: .integer)
    case .double(let value): try container.encode("\(value)", forKey: .double)
    case .decimal(let value): try container.encode(value.description, forKey: .decimal)
    case .string(let value): try container.encode(value, forKey: .string)
    case .bool(let value): try container.encode(value, forKey: .bool)
    case .date(let value):
      try container.encode("\(value.timeIntervalSinceReferenceDate)", forKey: .date)
    case .data(let value): try container.encode(value.base64EncodedString(), forKey: .data)
    case .uuid(let value): try container.encode(value.uuidString, forKey: .uuid)
    case .url(let value): try container.encode(value.absoluteString, forKey: .url)
    }
  }
}

import Foundation

extension Value: Codable {
  private enum Kind: String, CodingKey, CaseIterable {
    case integer, double, decimal, string, bool, date, data, uuid, url
  }

  /// Reads a value: JSON's null, or one key that names the kind.
  ///
  /// - Parameter decoder: Where to read from.
  /// - Throws: `DecodingError` for anything else.
  public init(from decoder: any Decoder) throws {
    if try decoder.singleValueContainer().decodeNil() {
      self = .null
      return
    }
    let container = try decoder.container(keyedBy: Kind.self)
    guard container.allKeys.count == 1, let kind = container.allKeys.first else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "a value has one kind"))
    }
    func text() throws -> String { try container.decode(String.self, forKey: kind) }
    func checked<Wrapped>(_ value: Wrapped?) throws -> Wrapped {
      guard let value else {
        throw DecodingError.dataCorruptedError(
          forKey: kind, in: container, debugDescription: "this is no \(kind.rawValue)")
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

  /// Writes the value: null, or one key that names its kind.
  ///
  /// Doubles and dates (seconds since 2001) are the shortest digits that read back as the same, as text, so that none is
  /// lost and infinity has a form.
  ///
  /// - Parameter encoder: Where to write to.
  /// - Throws: What the encoder throws.
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

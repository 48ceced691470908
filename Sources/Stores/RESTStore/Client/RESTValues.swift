import Foundation
public import ObjectModel

extension JSONValue {
  /// A value as a service takes it: dates in ISO 8601, decimals as numbers, bytes in base64.
  public init(_ value: ObjectModel.Value) {
    switch value {
    case .null: self = .null
    case .integer(let number): self = .integer(number)
    case .double(let number): self = number.isFinite ? .number(number.exactText) : .null
    case .decimal(let number): self = number.isNaN ? .null : .number(number.description)
    case .string(let text): self = .string(text)
    case .bool(let flag): self = .bool(flag)
    case .date(let date): self = .string(Self.text(of: date))
    case .data(let data): self = .string(data.base64EncodedString())
    case .uuid(let id): self = .string(id.uuidString.lowercased())
    case .url(let url): self = .string(url.absoluteString)
    }
  }

  /// The key of an object.
  package init(_ key: RESTKey) {
    switch key {
    case .integer(let number): self = .integer(number)
    case .text(let text): self = .string(text)
    }
  }

  private static func text(of date: Date) -> String {
    ISODate("2001-01-01T00:00:00Z")?
      .exactText(referenceSeconds: date.timeIntervalSinceReferenceDate) ?? date.description
  }

  /// The value in a query.
  var queryText: String {
    if case .string(let text) = self { text } else { String(decoding: bytes, as: UTF8.self) }
  }
}

extension AttributeDescription {
  /// A value of JSON as one of the attribute, decoded; nil if it is not of its type.
  ///
  /// Numbers, dates, UUIDs and bytes are also read from text; a date from seconds since 1970.
  package func value(from json: JSONValue) -> Value? {
    let value: Value?
    switch json {
    case .null: return .null
    case .bool(let flag): value = .bool(flag)
    case .integer(let number):
      value = type == .date ? .date(Date(timeIntervalSince1970: Double(number))) : .integer(number)
    case .number(let text):
      switch type {
      case .decimal: value = Number.decimal(text: text).map(Value.decimal)
      case .date: value = Double(text).map { .date(Date(timeIntervalSince1970: $0)) }
      default: value = Double(text).map(Value.double)
      }
    case .string(let text):
      switch type {
      case .string, .undefined: return .string(text)
      case .binaryData: return Data(base64Encoded: text).map(Value.data)
      default: value = Self.reading(text, as: type)
      }
    case .array, .object:
      return type == .undefined ? .string(String(decoding: json.bytes, as: UTF8.self)) : nil
    }
    if case .bool = value, type != .boolean, type != .undefined { return nil }
    return value.flatMap { try? checked($0) }
  }
}

extension ValidatedPredicate {
  /// The attributes and the values that they must equal, if it asks for nothing else; nil if it
  /// does.
  package var equalities: [(attribute: String, value: Value)]? {
    func pairs(_ node: FetchPredicate.Node) -> [(attribute: String, value: Value)]? {
      switch node {
      case .constant(true): return []
      case .and(let nodes):
        let all = nodes.map(pairs)
        return all.contains { $0 == nil } ? nil : all.flatMap { $0 ?? [] }
      case .comparison(let comparison):
        guard comparison.operation == .equal, comparison.modifier == .direct,
          comparison.options.isEmpty
        else { return nil }
        switch (comparison.left, comparison.right) {
        case (.keyPath(let path), .constant(let value)),
          (.constant(let value), .keyPath(let path)):
          return path.count == 1 ? [(path[0], value)] : nil
        default: return nil
        }
      case .constant, .or, .not: return nil
      }
    }
    return pairs(node)
  }
}

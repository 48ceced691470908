import Foundation

extension AttributeDescription {
  /// Converts a value to the attribute's type where no information is lost: 3 becomes 3.0 for a
  /// double, 1 becomes true for a boolean.
  ///
  /// - Throws: ``ModelError`` with the attribute's name when the value has another type or is out
  ///   of range.
  package func checked(_ value: Value) throws(ModelError) -> Value {
    switch type {
    case .undefined, .transformable: return value
    case .integer16: return try wholeNumber(value, in: Int64(Int16.min)...Int64(Int16.max))
    case .integer32: return try wholeNumber(value, in: Int64(Int32.min)...Int64(Int32.max))
    case .integer64: return try wholeNumber(value, in: .min ... .max)
    case .double, .float:
      if let number = value.number { return .double(number.approximation) }
    case .decimal:
      if let decimal = value.number?.exact { return .decimal(decimal) }
    case .boolean:
      switch value {
      case .bool: return value
      case .integer(0): return .bool(false)
      case .integer(1): return .bool(true)
      default: break
      }
    case .string:
      if let text = value.text { return .string(text) }
    case .date:
      if case .date(let date) = value, date.timeIntervalSinceReferenceDate.isFinite { return value }
    case .binaryData:
      if case .data = value { return value }
    case .uuid:
      if case .uuid = value { return value }
    case .uri:
      if case .url = value { return value }
      if case .string = value { return value }
    }
    throw ModelError(.wrongType(attribute: name, value: value, type: type))
  }

  private func wholeNumber(_ value: Value, in range: ClosedRange<Int64>) throws(ModelError) -> Value
  {
    if case .integer(let whole) = value, range.contains(whole) { return value }
    guard let number = value.number, let exact = number.exact else {
      throw ModelError(.wrongType(attribute: name, value: value, type: type))
    }
    guard let whole = Int64(exact.description) else {
      let isFraction = number.approximation.magnitude < 0x1p63
      throw ModelError(
        isFraction
          ? .wrongType(attribute: name, value: value, type: type)
          : .outOfRange(attribute: name, value: value, type: type))
    }
    guard range.contains(whole) else {
      throw ModelError(.outOfRange(attribute: name, value: value, type: type))
    }
    return .integer(whole)
  }

  /// Parses a value that a person typed.
  ///
  /// - Parameter text: The text. Empty text is null, except for a string attribute, where it is the
  ///   empty string.
  /// - Returns: The value, in the attribute's type.
  /// - Throws: ``ModelError`` with an example of such a value when the text cannot be parsed or is
  ///   out of range.
  public func value(from text: String) throws(ModelError) -> Value {
    if type == .string { return .string(text) }
    let trimmed = text.trimmingCharacters(in: .whitespaces)
    if trimmed.isEmpty { return .null }
    guard let value = Self.reading(trimmed, as: type) else {
      throw ModelError(.unreadable(attribute: name, text: trimmed, type: type))
    }
    return try checked(value)
  }

  /// Parses a text as a value of a type; nil if it is not one.
  package static func reading(_ text: String, as type: AttributeType) -> Value? {
    switch type {
    case .integer16, .integer32, .integer64: wholeNumber(text)
    case .double, .float: Number.isNumeric(text) ? Double(text).map(Value.double) : nil
    case .decimal: Number.decimal(text: text).map(Value.decimal)
    case .boolean: boolean(text)
    case .date:
      ISODate(text).map { .date(Date(timeIntervalSinceReferenceDate: $0.referenceSeconds)) }
    case .uuid: UUIDForm.read(text).map { .uuid($0.uuid) }
    case .uri: URL(string: text).map(Value.url)
    case .binaryData, .transformable: Data(base64Encoded: text).map(Value.data)
    case .string: .string(text)
    case .undefined: wholeNumber(text) ?? .string(text)
    }
  }

  private static func wholeNumber(_ text: String) -> Value? {
    if let whole = Int64(text) { return .integer(whole) }
    return Number.decimal(text: text).map(Value.decimal)
  }

  private static func boolean(_ text: String) -> Value? {
    switch text.lowercased() {
    case "true", "yes", "y", "1", "on": .bool(true)
    case "false", "no", "n", "0", "off": .bool(false)
    default: nil
    }
  }
}

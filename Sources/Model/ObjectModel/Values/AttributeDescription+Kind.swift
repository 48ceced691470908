extension AttributeDescription {
  /// Whether a decoded value is not of the attribute's kind: text in a date, bytes in a text, 2 in a
  /// boolean.
  ///
  /// Such values are kept as they are stored. They are sorted after all others, in either
  /// direction, and have one section of their own.
  ///
  /// - Parameter decoded: A value that ``decode(_:)`` returned.
  /// - Returns: Whether it is of another kind; never for null or a type without a kind.
  package func isForeign(_ decoded: Value) -> Bool {
    switch (kind, decoded) {
    case (nil, _), (_, .null), (.date, .date), (.uuid, .uuid), (.bytes, .data): false
    case (.text, _): decoded.text == nil
    case (.number, _): decoded.number == nil
    case (.boolean, .bool): false
    default: true
    }
  }

  /// Whether foreign values are sorted as equals, because their stored form is never compared.
  package var collapsesForeignValues: Bool {
    encoding.isDate || encoding == .decimalText || encoding == .uuidText
  }

  /// The kind of the attribute's values; nil if there is none.
  package var kind: Kind? {
    switch type {
    case .integer16, .integer32, .integer64, .double, .float, .decimal: .number
    case .string, .uri: .text
    case .boolean: encoding == .booleanInteger ? .boolean : .number
    case .date: encoding == .native ? nil : .date
    case .uuid: encoding == .native ? nil : .uuid
    case .binaryData, .transformable: .bytes
    case .undefined: nil
    }
  }

  /// A kind of values that are ordered among each other.
  package enum Kind: String, Sendable {
    case number, text, boolean, date, bytes
    case uuid = "UUID"
  }
}

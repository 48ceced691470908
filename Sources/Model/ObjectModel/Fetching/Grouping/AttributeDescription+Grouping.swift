import Foundation

extension AttributeDescription {
  /// Whether stored values are doubles where they can be, so that 1 is not an integer in one group
  /// and a double in another.
  package var groupsAsDouble: Bool {
    encoding == .native && (type == .double || type == .float)
  }

  /// The one stored value that stands for all that are equal in a group: 1 for 1.0, one text for an
  /// instant, a decimal or a UUID that is written in several ways.
  package func groupValue(_ stored: Value) -> Value {
    encoding.groupValue(stored, asDouble: groupsAsDouble)
  }

  /// The smaller or the greater of two values of a group; a null value is ignored.
  ///
  /// - Parameters:
  ///   - best: The best one so far, as ``groupValue(_:)`` returns it.
  ///   - stored: The next one.
  ///   - isLeast: Whether the smaller one is wanted.
  /// - Returns: The better one of the two; null if both are.
  package func extreme(_ best: Value, _ stored: Value, isLeast: Bool) -> Value {
    let value = groupValue(stored)
    if best.isNull || value.isNull { return best.isNull ? value : best }
    let isBetter =
      isLeast ? isGroupValue(value, before: best) : isGroupValue(best, before: value)
    return isBetter ? value : best
  }

  /// Whether a value is smaller than another one, both as ``groupValue(_:)`` returns them.
  package func isGroupValue(_ a: Value, before b: Value) -> Bool {
    if encoding.isReadFromText {
      let order = Value.compare(decode(a), decode(b))
      if order != 0 { return order < 0 }
    }
    return Value.compare(a, b) < 0
  }
}

extension ValueEncoding {
  /// Whether several stored texts are one value: SQLite's own comparison cannot tell.
  package var isReadFromText: Bool {
    switch self {
    case .isoText, .decimalText, .uuidText: true
    default: false
    }
  }

  /// As ``AttributeDescription/groupValue(_:)``, for a column of which only the encoding is known.
  package func groupValue(_ stored: Value, asDouble: Bool) -> Value {
    if isReadFromText {
      let attribute = AttributeDescription("", .undefined, encoding: self)
      let decoded = attribute.decode(stored)
      if let text = Self.text(of: decoded), attribute.decode(.string(text)) == decoded {
        return .string(text)
      }
    }
    switch stored {
    case .integer(let number) where asDouble:
      return Int64(exactly: Double(number)) == number ? .double(Double(number)) : stored
    case .double(let number):
      if number.isNaN { return .null }  // as SQLite stores it
      if asDouble { return number == 0 ? .double(0) : stored }
      return Int64(exactly: number).map(Value.integer) ?? stored
    default: return stored
    }
  }

  private static func text(of decoded: Value) -> String? {
    switch decoded {
    case .date(let date):
      ISODate.standard.exactText(referenceSeconds: date.timeIntervalSinceReferenceDate)
    case .decimal(let decimal): decimal.description
    case .uuid(let uuid): uuid.uuidString
    default: nil
    }
  }
}

package import ObjectModel

/// SQLite's type affinity of a column: how it converts values that it is compared with.
package enum ColumnAffinity: Hashable, Sendable {
  case text, numeric, real, none
  /// Unknown, as for a column of a view: SQLite might convert a value compared with it.
  case unknown

  /// The affinity of a declared type, by SQLite's rules (datatype3.html, 3.1).
  package init(declaredType: String) {
    let type = Capitals(declaredType)
    if type.contains("INT") {
      self = .numeric
    } else if type.contains("CHAR") || type.contains("CLOB") || type.contains("TEXT") {
      self = .text
    } else if declaredType.isEmpty || type.contains("BLOB") {
      self = .none
    } else if type.contains("REAL") || type.contains("FLOA") || type.contains("DOUB") {
      self = .real
    } else if type.bytes == Array("ANY".utf8) {  // none in a STRICT table, numeric in another
      self = .unknown
    } else {
      self = .numeric
    }
  }

  /// A declared type in capitals, as bytes: it is looked at for each column of each statement, and
  /// searching a string takes much longer.
  private struct Capitals {
    let bytes: [UInt8]

    init(_ type: String) {
      bytes = type.utf8.map { 97...122 ~= $0 ? $0 - 32 : $0 }
    }

    /// Whether a word is part of the type.
    func contains(_ word: StaticString) -> Bool {
      let word = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
      guard bytes.count >= word.count else { return false }
      return (0...bytes.count - word.count).contains { start in
        bytes[start..<start + word.count].elementsEqual(word)
      }
    }
  }

  /// Whether a value is converted when it is compared with the column.
  func converts(number: Bool) -> Bool {
    switch self {
    case .text: number
    case .numeric, .real: !number
    case .none: false
    case .unknown: true
    }
  }

  /// Whether the column certainly stores a value as it is.
  package func keeps(_ value: Value) -> Bool {
    // Nearly all values are texts in columns of text, whose bytes need not be looked at.
    if case .string = value, self == .text { return true }
    return value.withStoredField { keeps($0) } ?? false
  }

  /// Whether the column certainly stores a value as it is.
  package func keeps(_ value: StoredField) -> Bool {
    switch (self, value) {
    case (_, .null), (_, .bytes): true
    case (.text, .text), (.none, .text): true
    case (.numeric, .integer), (.none, .integer): true
    case (.numeric, .text(let text)), (.real, .text(let text)): !Self.mayBeNumber(text)
    // SQLite stores NaN as NULL, and numbers without a fraction as integers where it can.
    case (.none, .double(let number)): !number.isNaN
    case (.real, .double(let number)): !number.isNaN && number != 0
    case (.numeric, .double(let number)): number.isFinite && number != number.rounded()
    default: false
    }
  }

  /// Whether SQLite may read a text as a number: it has only characters of one, and no sign after a
  /// digit, as a date has.
  private static func mayBeNumber(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var followsDigit = false
    return text.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        followsDigit = true
        return true
      case UInt8(ascii: "+"), UInt8(ascii: "-"):
        return !followsDigit
      case UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"), UInt8(ascii: " "), 9...13:
        followsDigit = false
        return true
      default: return false
      }
    }
  }
}

package import ObjectModel

/// SQLite's type affinity of a column: how it converts values that it is compared with.
package enum ColumnAffinity: Hashable, Sendable {
  case text, numeric, real, none
  /// Unknown, as for a column of a view: SQLite might convert a value compared with it.
  case unknown

  /// The affinity of a declared type, by SQLite's rules (datatype3.html, 3.1).
  package init(declaredType: String) {
    let type = declaredType.uppercased()
    if type.contains("INT") {
      self = .numeric
    } else if ["CHAR", "CLOB", "TEXT"].contains(where: type.contains) {
      self = .text
    } else if type.isEmpty || type.contains("BLOB") {
      self = .none
    } else if ["REAL", "FLOA", "DOUB"].contains(where: type.contains) {
      self = .real
    } else if type == "ANY" {  // none in a STRICT table, numeric in another
      self = .unknown
    } else {
      self = .numeric
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
    switch (self, value) {
    case (_, .null), (_, .data): true
    case (.text, .string), (.none, .string): true
    case (.numeric, .integer), (.none, .integer): true
    case (.numeric, .string(let text)), (.real, .string(let text)): !Self.mayBeNumber(text)
    // SQLite stores NaN as NULL, and numbers without a fraction as integers where it can.
    case (.none, .double(let number)): !number.isNaN
    case (.real, .double(let number)): !number.isNaN && number != 0
    case (.numeric, .double(let number)): number.isFinite && number != number.rounded()
    default: false
    }
  }

  /// Whether SQLite may read a text as a number: it has only characters of one, and no sign after a
  /// digit, as a date has.
  private static func mayBeNumber(_ text: String) -> Bool {
    var followsDigit = false
    return text.utf8.allSatisfy { byte in
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

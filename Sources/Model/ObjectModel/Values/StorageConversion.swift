import Foundation

/// How SQLite converts a value when it is stored in a column: the column's affinity, without the
/// types that a query may have (datatype3.html, 3).
package enum StorageConversion: Hashable, Sendable {
  /// Stored as it is: without a declared type, BLOB, ANY in a STRICT table.
  case none
  /// Numbers become text.
  case text
  /// Text that is a number becomes one; a REAL without a fraction becomes an integer.
  case numeric
  /// As ``numeric``, and integers become REAL.
  case real

  /// What SQLite stores of a value.
  package func stored(_ value: Value) -> Value {
    switch (self, value) {
    case (.none, _), (_, .null), (_, .data): value
    case (.text, .integer(let number)): .string(String(number))
    case (.text, .double(let number)): .string("\(number)")
    case (.numeric, .string(let text)), (.real, .string(let text)):
      Self.number(in: text).map(stored) ?? value
    case (.numeric, .double(let number)):
      Int64(exactly: number).map { $0.magnitude < 1 << 51 ? .integer($0) : value } ?? value
    case (.real, .integer(let number)): .double(Double(number))
    default: value
    }
  }

  private static func number(in text: String) -> Value? {
    let text = text.trimmingCharacters(in: .whitespaces)
    guard Number.isNumeric(text) else { return nil }
    return Int64(text).map(Value.integer) ?? Double(text).map(Value.double)
  }
}

package import ObjectModel

/// An attribute's column in a query.
package struct ColumnOperand {
  /// How stored values are compared in SQL.
  package enum ComparisonForm: Hashable {
    /// As they are: numbers, text, bytes.
    case stored
    /// As seconds since 1970, by `cardfile_date`.
    case seconds
    /// Only in memory: UUIDs and decimals in text, values that may be in files.
    case inMemory
  }

  /// The column, with its alias.
  package let sql: SQL
  package let attribute: AttributeDescription
  let affinity: ColumnAffinity

  package var form: ComparisonForm {
    switch attribute.encoding {
    case .native, .urlText, .booleanInteger, .decimalNumber, .uuidData: .stored
    case .decimalText, .uuidText, .externalData: .inMemory
    default: .seconds
    }
  }

  /// The length in bytes after which external values are neither sorted nor divided into sections,
  /// so that no long file is read: what rows hold of them in memory.
  package static let longestBeginning = 64 * 1024

  /// The stored value; that of an external file in its inline form.
  package var value: SQL {
    attribute.encoding == .externalData ? "cardfile_external(\(sql), -1)" : sql
  }

  /// The stored value; the beginning of an external file in its inline form.
  package var beginning: SQL {
    attribute.encoding == .externalData
      ? "cardfile_external(\(sql), \(number: Self.longestBeginning))" : sql
  }

  /// The length of the text or of the bytes in the column.
  ///
  /// Bytes that are decoded to another value have none.
  var length: ColumnOperand {
    let value: SQL =
      attribute.encoding == .native ? sql : "CASE typeof(\(sql)) WHEN 'text' THEN \(sql) END"
    return ColumnOperand(
      sql: "cardfile_length(\(value))",
      attribute: AttributeDescription(VirtualKey.length, .integer64), affinity: .none)
  }

  /// The text of the decoded value, as `CAST(x, 'NSString')` gives it; nil if values may be in
  /// files.
  var text: ColumnOperand? {
    guard attribute.encoding != .externalData else { return nil }
    return ColumnOperand(
      sql: "cardfile_text(\(sql), \(number: attribute.encoding.code))",
      attribute: AttributeDescription(attribute.name, .string), affinity: .none)
  }

  /// The column without affinity, so that SQLite converts neither side of a comparison.
  var bare: SQL { "+\(sql)" }

  /// The column for a comparison with numbers or with other values: with its affinity, which lets
  /// SQLite use an index, unless that would convert the values.
  func compared(withNumber isNumber: Bool) -> SQL {
    affinity.converts(number: isNumber) ? bare : sql
  }

  /// The sort key: seconds since 2001 for a date, bytes for a UUID, a double for a decimal, the first
  /// bytes of external data, the same bytes for every value that does not decode; else the stored value.
  package var ordered: SQL {
    guard form != .stored else { return sql }
    return "cardfile_sort_key(\(beginning), \(number: attribute.encoding.code))"
  }
}

extension ColumnOperand {
  /// A term of ORDER BY that puts values of another kind than the attribute's last; nil if the
  /// order of ``ordered`` does so by itself.
  func foreignLast(isAscending: Bool) -> SQL? {
    let value = bare
    switch (attribute.kind, attribute.encoding) {
    case (nil, _): return nil
    case (.boolean, _):
      return "(\(value) IS NOT NULL AND (typeof(\(value)) <> 'integer' OR \(value) NOT IN (0, 1)))"
    case (.uuid, .uuidData):
      return "(\(value) IS NOT NULL AND (typeof(\(value)) <> 'blob' OR length(\(value)) <> 16))"
    // cardfile_sort_key turns values of another kind into bytes that come after all others.
    case (.uuid, _): return isAscending ? nil : "length(\(ordered)) IS 17"
    case (.date, _), (.number, .decimalText):
      return isAscending ? nil : "typeof(\(ordered)) = 'blob'"
    // Numbers come before text, and text before bytes.
    case (.number, _): return isAscending ? nil : "typeof(\(value)) IN ('text', 'blob')"
    case (.text, _):
      return isAscending && affinity == .text ? nil : "typeof(\(value)) NOT IN ('text', 'null')"
    case (.bytes, _): return "typeof(\(value)) NOT IN ('blob', 'null')"
    }
  }
}

extension ValueEncoding {
  /// The number of the encoding in arguments of SQL functions: its index in ``byCode``.
  package var code: Int32 { Self.codes[self] ?? 0 }

  /// All encodings, each at the index of its ``code``.
  package static let byCode = ValueEncoding.allCases

  private static let codes = Dictionary(
    uniqueKeysWithValues: zip(byCode, byCode.indices.map { Int32($0) }))
}

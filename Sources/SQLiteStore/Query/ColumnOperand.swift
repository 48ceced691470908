import ObjectModel

/// An attribute's column in a query.
struct ColumnOperand {
  /// How stored values become comparable in SQL.
  enum Image: Hashable {
    /// They are: numbers, text, bytes.
    case plain
    /// Dates, through `cardfile_image`.
    case moment
    /// Only the evaluator knows: UUIDs and decimals in text.
    case none
  }

  /// The column, with its alias.
  let sql: SQL
  let attribute: AttributeDescription
  let affinity: ColumnAffinity

  var image: Image {
    switch attribute.encoding {
    case .native, .urlText, .booleanInteger, .decimalNumber, .uuidData: .plain
    case .isoText, .unixSeconds, .unixMilliseconds, .referenceSeconds, .julianDay: .moment
    case .decimalText, .uuidText, .externalData: .none
    }
  }

  /// The column without affinity, so that nothing it is compared with is converted.
  var bare: SQL { "+\(sql)" }

  /// The column as compared with values of one kind: an index can be used where nothing would be converted.
  func compared(withNumber isNumber: Bool) -> SQL {
    affinity.converts(number: isNumber) ? bare : sql
  }

  /// What orders the rows: the moment of a date, the bytes of a UUID, the number of a decimal; else the value as it is.
  var ordered: SQL {
    guard image != .plain else { return sql }
    return "cardfile_image(\(sql), \(number: attribute.encoding.code))"
  }
}

extension ValueEncoding {
  /// The number by which SQL functions are told of an encoding.
  var code: Int32 {
    switch self {
    case .native: 0
    case .isoText: 1
    case .unixSeconds: 2
    case .unixMilliseconds: 3
    case .referenceSeconds: 4
    case .julianDay: 5
    case .booleanInteger: 6
    case .decimalNumber: 7
    case .decimalText: 8
    case .uuidData: 9
    case .uuidText: 10
    case .urlText: 11
    case .externalData: 12
    }
  }

  /// All encodings, each at the place of its code.
  static let byCode: [ValueEncoding] = [
    .native, .isoText, .unixSeconds, .unixMilliseconds, .referenceSeconds, .julianDay,
    .booleanInteger, .decimalNumber, .decimalText, .uuidData, .uuidText, .urlText,
    .externalData,
  ]
}

import ObjectModel

/// Determines the attribute type of a column from its declared type, its name and, if these are not
/// enough, a sample of its values.
struct ColumnTyping: Hashable {
  /// An attribute type and the encoding of its values in the database.
  struct Decision: Hashable {
    var type: AttributeType
    var encoding: ValueEncoding

    init(_ type: AttributeType, _ encoding: ValueEncoding = .native) {
      self.type = type
      self.encoding = encoding
    }
  }

  private let declared: DeclaredType
  /// Whether the column's name suggests a date or time; false for keys.
  private let mayBeTime: Bool
  /// Whether the column's name contains "julian".
  private let isJulian: Bool
  /// Whether numbers in date columns are seconds since 2001, as in Core Data stores.
  private let isCoreData: Bool

  init(_ column: Catalog.Column, isKey: Bool, isCoreData: Bool) {
    declared = DeclaredType(column.declaredType)
    let words = isKey || declared.isDefinite ? nil : NameWords(column.name)
    mayBeTime = words?.suggestsDate ?? false
    isJulian = words?.words.contains("julian") ?? false
    self.isCoreData = isCoreData
  }

  /// Whether a sample of the values can change the decision.
  var needsSample: Bool {
    switch declared {
    case .definite: false
    case .date, .uuid, .unknown: true
    case .text, .integer, .real: mayBeTime
    }
  }

  /// Returns the type and the encoding; an empty sample leaves the declared type.
  func decide(_ sample: ColumnSample) -> Decision {
    switch declared {
    case .definite(let type, let encoding): return Decision(type, encoding)
    case .date: return declaredDate(sample)
    case .uuid: return Decision(.uuid, sample.isBlobs(ofByteCount: 16) ? .uuidData : .uuidText)
    case .text: return time(in: sample) ?? Decision(.string)
    case .integer(let type): return time(in: sample) ?? Decision(type)
    case .real: return time(in: sample) ?? Decision(.double)
    case .unknown: return time(in: sample) ?? Decision(sample.commonType)
    }
  }

  private func declaredDate(_ sample: ColumnSample) -> Decision {
    if isCoreData, [.integer64, .double].contains(sample.commonType) {
      return Decision(.date, .referenceSeconds)
    }
    if sample.isJulianDays { return Decision(.date, .julianDay) }
    if let encoding = sample.unixEncoding { return Decision(.date, encoding) }
    switch sample.commonType {
    case .string where !sample.holdsISODate: return Decision(.string)
    case .integer64, .double, .binaryData: return Decision(sample.commonType)
    default: return Decision(.date, isCoreData ? .referenceSeconds : .isoText)
    }
  }

  /// Returns the date encoding if both the name and the values suggest a date; otherwise nil.
  private func time(in sample: ColumnSample) -> Decision? {
    guard mayBeTime else { return nil }
    if sample.isISODates { return Decision(.date, .isoText) }
    if let encoding = sample.unixEncoding { return Decision(.date, encoding) }
    if isJulian, sample.isJulianDays { return Decision(.date, .julianDay) }
    return nil
  }
}

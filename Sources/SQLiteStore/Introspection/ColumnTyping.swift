import ObjectModel

/// Decides what the values of a column mean: by its declared type, its name, and where these leave it open by a look at
/// its values.
struct ColumnTyping: Hashable {
  /// A type and how its values are stored.
  struct Decision: Hashable {
    var type: AttributeType
    var encoding: ValueEncoding

    init(_ type: AttributeType, _ encoding: ValueEncoding = .native) {
      self.type = type
      self.encoding = encoding
    }
  }

  private let declared: DeclaredType
  /// Whether its name is one of a time.
  ///
  /// A key is none: its values only name rows.
  private let mayBeTime: Bool
  private let isJulian: Bool
  /// Whether numbers in columns declared as times count from 2001, as in Core Data's stores.
  private let isCoreData: Bool

  init(_ column: Catalog.Column, isKey: Bool, isCoreData: Bool) {
    declared = DeclaredType(column.declaredType)
    let words = isKey || declared.isSettled ? nil : NameWords(column.name)
    mayBeTime = words?.speaksOfTime ?? false
    isJulian = words?.words.contains("julian") ?? false
    self.isCoreData = isCoreData
  }

  /// Whether a look at the values can change the decision.
  var needsSample: Bool {
    switch declared {
    case .settled: false
    case .date, .uuid, .silent: true
    case .text, .integer, .real: mayBeTime
    }
  }

  /// Decides, in the light of some values; none at all are no evidence.
  func decide(_ sample: ColumnSample) -> Decision {
    switch declared {
    case .settled(let type, let encoding): return Decision(type, encoding)
    case .date: return declaredDate(sample)
    case .uuid: return Decision(.uuid, sample.isBlobs(ofByteCount: 16) ? .uuidData : .uuidText)
    case .text: return time(in: sample) ?? Decision(.string)
    case .integer(let type): return time(in: sample) ?? Decision(type)
    case .real: return time(in: sample) ?? Decision(.double)
    case .silent: return time(in: sample) ?? Decision(sample.commonType)
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

  /// The decision for a column that is a time by its name and its values; nil when it is none.
  private func time(in sample: ColumnSample) -> Decision? {
    guard mayBeTime else { return nil }
    if sample.isISODates { return Decision(.date, .isoText) }
    if let encoding = sample.unixEncoding { return Decision(.date, encoding) }
    if isJulian, sample.isJulianDays { return Decision(.date, .julianDay) }
    return nil
  }
}

import Foundation

extension AttributeDescription {
  /// Decodes a stored value, such as a number of seconds to a date.
  ///
  /// - Parameter stored: A value as SQLite stores it.
  /// - Returns: The value decoded by ``encoding``; the stored value itself if it does not match the
  ///   encoding.
  package func decode(_ stored: Value) -> Value { encoding.decode(stored) }
}

extension ValueEncoding {
  /// Decodes a stored value: see ``AttributeDescription/decode(_:)``.
  package func decode(_ stored: Value) -> Value {
    switch self {
    case .native: stored
    case .isoText: stored.read(\.isoSeconds) { .date(Date(timeIntervalSinceReferenceDate: $0)) }
    case .unixSeconds, .unixMilliseconds, .unixMicroseconds, .unixNanoseconds, .referenceSeconds,
      .referenceNanoseconds, .webKitMicroseconds, .fileTime, .dotNetTicks, .julianDay, .oleDays:
      clock?.referenceSeconds(stored)
        .map { .date(Date(timeIntervalSinceReferenceDate: $0)) } ?? stored
    case .calendarNumber:
      stored.read(\.calendarDay) { .date(Date(timeIntervalSince1970: $0)) }
    case .booleanInteger:
      switch stored {
      case .integer(0): .bool(false)
      case .integer(1): .bool(true)
      default: stored
      }
    case .decimalNumber: stored.read(\.decimalOfNumber, Value.decimal)
    case .decimalText: stored.read(\.decimalOfText, Value.decimal)
    case .uuidData: stored.read(\.uuidOfData, Value.uuid)
    case .uuidText: stored.read(\.uuidOfText, Value.uuid)
    case .urlText: stored.read(\.urlOfText, Value.url)
    case .externalData: stored.read(\.inlineBytes, Value.data)
    }
  }
}

extension Value {
  fileprivate func read<Meaning>(_ meaning: (Value) -> Meaning?, _ make: (Meaning) -> Value)
    -> Value
  {
    meaning(self).map(make) ?? self
  }

  fileprivate var isoSeconds: Double? {
    guard case .string(let text) = self else { return nil }
    return text.withBytes { ISODate.referenceSeconds(utf8: $0) }
  }

  /// The midnight of a day such as 20240501, in seconds since 1970.
  fileprivate var calendarDay: Double? {
    let number: Int64? =
      switch self {
      case .integer(let number): number
      case .double(let number): Int64(exactly: number)
      case .string(let text): text.utf8.count == 8 ? Int64(text) : nil
      default: nil
      }
    return number.flatMap(CivilDate.init(calendarNumber:)).map {
      Double($0.daysSince1970) * 86_400
    }
  }

  fileprivate var decimalOfNumber: Decimal? {
    switch self {
    case .integer(let value): Decimal(value)
    case .double(let value): Number.decimal(value)
    default: nil
    }
  }

  fileprivate var decimalOfText: Decimal? {
    guard case .string(let text) = self else { return decimalOfNumber }
    return Number.decimal(text: text)
  }

  fileprivate var uuidOfData: UUID? {
    guard case .data(let data) = self, data.count == 16 else { return nil }
    var bytes = UUID().uuid
    withUnsafeMutableBytes(of: &bytes) { $0.copyBytes(from: data) }
    return UUID(uuid: bytes)
  }

  /// The bytes after the prefix 0x01 of inline external data (core-data-stores 4.6).
  fileprivate var inlineBytes: Data? {
    guard case .data(let data) = self, data.first == 1 else { return nil }
    return Data(data.dropFirst())
  }

  fileprivate var uuidOfText: UUID? {
    guard case .string(let text) = self else { return nil }
    return UUIDForm.read(text)?.uuid
  }

  fileprivate var urlOfText: URL? {
    guard case .string(let text) = self, let url = URL(string: text),
      url.absoluteString.hasSameBytes(as: text)
    else { return nil }
    return url
  }
}

import Foundation
import ObjectModel

/// What was seen of a column's values in a sample of the rows.
struct ColumnSample: Hashable {
  /// A value: text is truncated, of a blob only the size is kept.
  enum Item: Hashable {
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob(byteCount: Int)
  }

  private(set) var integerCount = 0
  private(set) var realCount = 0
  private(set) var textCount = 0
  private(set) var blobCount = 0
  /// The texts that are ISO 8601 dates, that are UUIDs, and that are empty.
  private(set) var isoCount = 0
  private(set) var uuidCount = 0
  private(set) var emptyCount = 0
  /// The blobs of 16 bytes.
  private(set) var longCount = 0
  /// The numbers with a fraction.
  private(set) var fractionCount = 0
  /// The numbers that are days such as 20240501, from 1900 to 2100.
  private(set) var dayCount = 0
  /// The numbers that are neither 0 nor 1.
  private(set) var otherThanFlagCount = 0
  /// The numbers but for those that are signs, such as 0 for "never".
  private(set) var measureCount = 0
  /// The smallest and the greatest of these numbers.
  private(set) var bounds: ClosedRange<Double>?
  /// Whether there are at least two different ones among them.
  var hasSpread: Bool { bounds.map { $0.lowerBound < $0.upperBound } ?? false }
  /// A value whose form new values take.
  private(set) var example = Value.null

  /// The number of values that are not NULL.
  var count: Int { integerCount + realCount + textCount + blobCount }
  private var numberCount: Int { integerCount + realCount }

  /// Numbers that programs write for "never" and "for ever": -1, 0, the last 64-bit integers, and
  /// `NSDate`'s distant past and future.
  private static func isSign(_ number: Double) -> Bool {
    [0, -1, 63_113_904_000, -63_114_076_800, -63_113_904_000].contains(number)
      || number.magnitude >= 0x1p63 || number == Double(Int32.max)
  }

  mutating func add(_ item: Item) {
    switch item {
    case .integer(let number):
      integerCount += 1
      if let day = CivilDate(calendarNumber: number), (1900...2100).contains(day.year) {
        dayCount += 1
      }
      add(Double(number))
      if example.isNull { example = .integer(number) }
    case .real(let number):
      realCount += 1
      if number != number.rounded() { fractionCount += 1 }
      add(number)
      // One REAL shows that the column keeps them.
      if example.isNull || example.number != nil { example = .double(number) }
    case .text(let text):
      textCount += 1
      add(text)
    case .blob(let byteCount):
      blobCount += 1
      if byteCount == 16 { longCount += 1 }
    }
  }

  private mutating func add(_ number: Double) {
    if number != 0, number != 1 { otherThanFlagCount += 1 }
    guard number.isFinite, !Self.isSign(number) else { return }
    measureCount += 1
    bounds = min(bounds?.lowerBound ?? number, number)...max(bounds?.upperBound ?? number, number)
  }

  /// Takes in the smallest or the greatest number of the column, which counts as no further value.
  mutating func widen(to other: ColumnSample) {
    otherThanFlagCount += other.otherThanFlagCount
    guard let extreme = other.bounds, let bounds, isNumbers else { return }
    self.bounds =
      min(bounds.lowerBound, extreme.lowerBound)...max(bounds.upperBound, extreme.upperBound)
  }

  private mutating func add(_ text: String) {
    if text.isEmpty {
      emptyCount += 1
    } else if ISODate(text) != nil {
      isoCount += 1
      // A form with a time tells more than one of a day.
      if example.text.map({ $0.utf8.count < text.utf8.count }) ?? example.isNull {
        example = .string(text)
      }
    } else if AttributeDescription.reading(text, as: .uuid) != nil {
      uuidCount += 1
      // Digits alone do not tell small letters from capitals.
      if example.isNull || !(example.text ?? "").contains(where: \.isLetter) {
        example = .string(text)
      }
    }
  }

  /// Whether all values are numbers, and there are some.
  var isNumbers: Bool { count > 0 && numberCount == count }

  /// Whether all numbers are REAL, or one of them has a fraction.
  var isReal: Bool { realCount > 0 && (integerCount == 0 || fractionCount > 0) }

  /// Whether all values are ISO 8601 dates; empty texts are ignored.
  var isISODates: Bool { isoCount > 0 && isoCount + emptyCount == count }

  /// Whether all values are texts and at least one is an ISO 8601 date, or all are empty.
  var mayBeISODates: Bool {
    textCount == count && (isoCount > 0 || emptyCount == count)
  }

  /// Whether all values are UUIDs in text; empty texts are ignored.
  var isUUIDs: Bool { uuidCount > 0 && uuidCount + emptyCount == count }

  /// Whether all values are blobs of 16 bytes.
  var isUUIDBlobs: Bool { longCount > 0 && longCount == count }

  /// Whether all values are 0 or 1, or there are none.
  var isFlags: Bool { numberCount == count && otherThanFlagCount == 0 }

  /// Whether all numbers are days such as 20240501; signs are ignored.
  var isCalendarDays: Bool {
    isNumbers && realCount == 0 && dayCount > 0 && dayCount == measureCount
  }

  /// The type of all values: integer, double, text or binary data.
  ///
  /// `undefined` if they differ or there are none.
  var commonType: AttributeType {
    switch count {
    case 0: .undefined
    case integerCount: .integer64
    case numberCount: .double
    case textCount: .string
    case blobCount: .binaryData
    default: .undefined
    }
  }

  /// What was looked at, as "all 72 values looked at".
  var words: String {
    count == 1 ? "the only value seen" : "all \(Value.grouped(count)) values seen"
  }
}

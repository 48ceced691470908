import Foundation
import ObjectModel

/// A few values of a column, as evidence of what it holds.
struct ColumnSample: Hashable {
  /// What stands in a row: text is cut, bytes are only counted.
  enum Item: Hashable {
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob(byteCount: Int)
  }

  /// The values that are not null.
  var items: [Item] = []

  /// Numbers, when all values are numbers and there are some.
  private var numbers: [Double]? {
    guard !items.isEmpty else { return nil }
    var numbers: [Double] = []
    for item in items {
      switch item {
      case .integer(let number): numbers.append(Double(number))
      case .real(let number): numbers.append(number)
      case .text, .blob: return nil
      }
    }
    return numbers
  }

  /// Texts, when all values are texts and there are some.
  private var texts: [String]? {
    guard !items.isEmpty else { return nil }
    var texts: [String] = []
    for item in items {
      guard case .text(let text) = item else { return nil }
      texts.append(text)
    }
    return texts
  }

  /// Whether all values are ISO 8601 dates.
  ///
  /// Empty text, which some write for none, does not speak against it.
  var isISODates: Bool {
    guard let texts = texts?.filter({ !$0.isEmpty }), !texts.isEmpty else { return false }
    return texts.allSatisfy { ISODate($0) != nil }
  }

  /// Whether any value is an ISO 8601 date, or there are none but empty texts.
  var holdsISODate: Bool {
    guard let texts = texts?.filter({ !$0.isEmpty }) else { return false }
    return texts.isEmpty || texts.contains { ISODate($0) != nil }
  }

  /// The encoding by which all numbers are moments between 1990 and 2100; nil when there is none.
  ///
  /// Zero, which some write for never, does not speak against it.
  var unixEncoding: ValueEncoding? {
    guard let numbers = numbers?.filter({ $0 != 0 }), !numbers.isEmpty else { return nil }
    let years = 631_152_000.0..<4_102_444_800.0
    if numbers.allSatisfy(years.contains) { return .unixSeconds }
    if numbers.allSatisfy({ years.contains($0 / 1_000) }) { return .unixMilliseconds }
    return nil
  }

  /// Whether all values are real numbers that are Julian days between 1800 and 2200.
  var isJulianDays: Bool {
    guard !items.isEmpty else { return false }
    return items.allSatisfy { item in
      guard case .real(let day) = item else { return false }
      return (2_378_496.5..<2_524_958.5).contains(day)
    }
  }

  /// Whether all values are bytes of one count.
  func isBlobs(ofByteCount count: Int) -> Bool {
    !items.isEmpty && items.allSatisfy { $0 == .blob(byteCount: count) }
  }

  /// The type that all values are of: integer, double, text or bytes; undefined when they differ or there are none.
  var commonType: AttributeType {
    if texts != nil { return .string }
    if numbers != nil {
      let isWhole = items.allSatisfy { if case .integer = $0 { true } else { false } }
      return isWhole ? .integer64 : .double
    }
    let isBlobs = items.allSatisfy { if case .blob = $0 { true } else { false } }
    return isBlobs && !items.isEmpty ? .binaryData : .undefined
  }
}

import Foundation
import ObjectModel

/// Values of a few rows of a column, from which its type is guessed.
struct ColumnSample: Hashable {
  /// A value: text is truncated, of a blob only the size is kept.
  enum Item: Hashable {
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob(byteCount: Int)
  }

  /// The values that are not NULL.
  var items: [Item] = []

  /// The values as numbers; nil if there are none or not all are numbers.
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

  /// The values as texts; nil if there are none or not all are texts.
  private var texts: [String]? {
    guard !items.isEmpty else { return nil }
    var texts: [String] = []
    for item in items {
      guard case .text(let text) = item else { return nil }
      texts.append(text)
    }
    return texts
  }

  /// Whether all values are ISO 8601 dates; empty texts are ignored.
  var isISODates: Bool {
    guard let texts = texts?.filter({ !$0.isEmpty }), !texts.isEmpty else { return false }
    return texts.allSatisfy { ISODate($0) != nil }
  }

  /// Whether all values are texts and at least one is an ISO 8601 date, or all are empty.
  var holdsISODate: Bool {
    guard let texts = texts?.filter({ !$0.isEmpty }) else { return false }
    return texts.isEmpty || texts.contains { ISODate($0) != nil }
  }

  /// The Unix encoding by which all numbers are dates from 1990 to 2099; nil if there is none.
  ///
  /// Zeros, which often mean "never", are ignored.
  var unixEncoding: ValueEncoding? {
    guard let numbers = numbers?.filter({ $0 != 0 }), !numbers.isEmpty else { return nil }
    let years = 631_152_000.0..<4_102_444_800.0
    if numbers.allSatisfy(years.contains) { return .unixSeconds }
    if numbers.allSatisfy({ years.contains($0 / 1_000) }) { return .unixMilliseconds }
    return nil
  }

  /// Whether all values are REAL numbers that are Julian days from 1800 to 2200.
  var isJulianDays: Bool {
    guard !items.isEmpty else { return false }
    return items.allSatisfy { item in
      guard case .real(let day) = item else { return false }
      return (2_378_496.5..<2_524_958.5).contains(day)
    }
  }

  /// Returns whether all values are blobs of a given size.
  func isBlobs(ofByteCount count: Int) -> Bool {
    !items.isEmpty && items.allSatisfy { $0 == .blob(byteCount: count) }
  }

  /// The type of all values: integer, double, text or binary data.
  ///
  /// `undefined` if they differ or there are none.
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

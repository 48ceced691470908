import Foundation
import ObjectModel

/// Finds what was typed in values that are sorted.
struct SortedSearch {
  private let order: FetchSortDescriptor
  private let attribute: AttributeDescription
  /// The typed value.
  let target: Value
  private let targetValue: FetchSortDescriptor.SortValue
  /// The folded text that a value must begin with; nil if any value not before the target is
  /// accepted.
  private let prefix: String?

  /// Makes a search; nil if the text cannot be a value of the attribute.
  init?(_ text: String, order: FetchSortDescriptor, attribute: AttributeDescription) {
    self.order = order
    self.attribute = attribute
    switch attribute.kind {
    case .text, nil:
      target = .string(text)
      prefix = TextFolding.folded(text)
    case .number:
      guard let number = Double(text.filter { $0 != "," }) else { return nil }
      target = .double(number)
      prefix = nil
    case .date:
      guard let date = Self.date(text, isEnd: !order.ascending) else { return nil }
      target = date
      prefix = nil
    case .boolean, .bytes, .uuid: return nil
    }
    targetValue = order.sortValue(target, of: nil)
  }

  /// The beginning or the last day of a period: `1990`, `1990-05`, `1990-05-01`, or the first digits
  /// of one; nil for anything else.
  private static func date(_ text: String, isEnd: Bool) -> Value? {
    let rests =
      isEnd
      ? ["9999-12-31", "9999-12-30", "9999-12-29", "9999-12-28", "9999-19-30"]
      : ["0000-01-01", "1000-10-10"]
    let days = rests.compactMap { ISODate(text + $0.dropFirst(text.count))?.seconds }
    let seconds = isEnd ? days.max().map { $0 + 86_399 } : days.min()
    return seconds.map { .date(Date(timeIntervalSince1970: $0)) }
  }

  /// The index of the first value that matches; nil if none does.
  ///
  /// - Parameters:
  ///   - range: The indexes of the values, in the order of the descriptor.
  ///   - value: Reads the decoded value at an index.
  /// - Returns: The index.
  func first(in range: Range<Int>, value: (Int) -> Value) -> Int? {
    let index = range.partitioningIndex { !isBefore(value($0)) }
    guard index < range.upperBound else { return nil }
    let found = value(index)
    guard !attribute.isForeign(found), !found.isNull else { return nil }
    guard let prefix else { return index }
    return TextFolding.folded(found.description).hasPrefix(prefix) ? index : nil
  }

  /// Whether a value comes before all that match.
  private func isBefore(_ value: Value) -> Bool {
    if attribute.isForeign(value) { return false }
    guard order.compare(order.sortValue(value, of: attribute), targetValue) < 0 else {
      return false
    }
    guard !order.ascending, let prefix else { return true }
    return !TextFolding.folded(value.description).hasPrefix(prefix)
  }
}

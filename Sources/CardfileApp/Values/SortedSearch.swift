import Foundation
import ObjectModel

/// Finds what was typed in values that are sorted.
nonisolated struct SortedSearch {
  private let order: FetchSortDescriptor
  private let attribute: AttributeDescription
  /// The typed value.
  private let target: Value
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
      guard let date = Self.date(text) else { return nil }
      target = date
      prefix = nil
    case .boolean, .bytes, .uuid: return nil
    }
    targetValue = order.sortValue(target, of: nil)
  }

  /// The beginning of a period: `1990`, `1990-05`, `1990-05-01`; nil for anything else.
  private static func date(_ text: String) -> Value? {
    let whole = text + "0000-01-01".dropFirst(text.count)
    return ISODate(whole).map { .date(Date(timeIntervalSince1970: $0.seconds)) }
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
    let sortValue = order.sortValue(value, of: attribute)
    if order.ascending { return sortValue < targetValue }
    guard targetValue < sortValue else { return false }
    return prefix.map { !TextFolding.folded(value.description).hasPrefix($0) } ?? true
  }
}

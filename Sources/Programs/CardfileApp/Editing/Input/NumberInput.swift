import ObjectModel

/// A number as a person types it: with or without grouping, never rounded.
nonisolated enum NumberInput {
  /// The number without grouping, as `ObjectModel` reads it: `1,234.5`, `1 234.5`, `1'234.5` and
  /// `1_234.5` are `1234.5`; any other text is returned as it is.
  static func plain(_ text: String) -> String {
    let text = text.replacing("−", with: "-")
    let separators = Set(text.filter { ", '’_\u{A0}\u{202F}\u{2009}".contains($0) })
    guard separators.count == 1, let separator = separators.first else { return text }
    let sign = text.prefix { $0 == "-" || $0 == "+" }
    let rest = text.dropFirst(sign.count)
    let whole = rest.prefix { $0 != "." && $0 != "e" && $0 != "E" }
    let groups = whole.split(separator: separator, omittingEmptySubsequences: false)
    guard sign.count <= 1, groups.count > 1, let first = groups.first,
      (1...3).contains(first.count), groups.dropFirst().allSatisfy({ $0.count == 3 }),
      groups.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isNumber } }),
      !rest.dropFirst(whole.count).contains(separator)
    else { return text }
    return sign + groups.joined() + rest.dropFirst(whole.count)
  }

  /// What to do about a text that is not a number.
  static func advice(for text: String) -> String? {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isNumber } }),
      !parts[1].isEmpty
    else { return nil }
    return "write a fraction with a point: \(parts[0]).\(parts[1])"
  }
}

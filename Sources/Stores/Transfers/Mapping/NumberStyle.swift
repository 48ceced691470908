import ObjectModel

/// How numbers are written: `1234.5`, `1,234.5`, `1.234,5`, `1 234,5`.
package struct NumberStyle: Hashable, Sendable {
  /// What separates thousands; nil for nothing.
  var grouping: Set<Unicode.Scalar>?
  /// What separates the fraction.
  var decimal: Unicode.Scalar

  /// As in programs.
  package static let plain = NumberStyle(grouping: nil, decimal: ".")

  private static let spaces: Set<Unicode.Scalar> = [" ", "\u{A0}", "\u{2009}", "\u{202F}"]
  private static let commas = NumberStyle(grouping: [","], decimal: ".")
  private static let points = NumberStyle(grouping: ["."], decimal: ",")
  private static let others = [
    NumberStyle(grouping: spaces, decimal: ","), NumberStyle(grouping: spaces, decimal: "."),
    NumberStyle(grouping: ["'", "’"], decimal: "."),
  ]

  /// The style of numbers, as a phrase; nil for the plain one.
  var phrase: String? {
    guard let grouping else { return nil }
    let separator = grouping.isSuperset(of: Self.spaces) ? " " : String(grouping.min() ?? ",")
    return "numbers like 1\(separator)234\(decimal)5"
  }

  /// The style in which all of some texts are numbers; nil if there is none.
  ///
  /// With `prefersDecimalComma` the comma of `1,234` is that of a fraction, as in files whose fields
  /// are separated by semicolons.
  static func of(_ texts: [String], prefersDecimalComma: Bool) -> NumberStyle? {
    let first = prefersDecimalComma ? [points, commas] : [commas, points]
    return ([plain] + first + others).first { style in
      texts.allSatisfy { style.plainText($0) != nil }
    }
  }

  /// The number as programs write it; nil if the text is no number in this style.
  func plainText(_ text: String) -> String? {
    guard let grouping else { return Number.isNumeric(text) ? text : nil }
    var plain = ""
    /// The digits since the last separator; nil before the first one.
    var group: Int?
    var (digits, isFraction) = (0, false)
    for scalar in text.unicodeScalars {
      if scalar == decimal, !isFraction {
        guard group ?? 3 == 3 else { return nil }
        (isFraction, group) = (true, nil)
        plain.append(".")
      } else if grouping.contains(scalar), !isFraction {
        // The first group has one to three digits, each other one three.
        guard digits > 0, group.map({ $0 == 3 }) ?? (digits <= 3) else { return nil }
        group = 0
      } else {
        if scalar.value &- 0x30 < 10 {
          digits += 1
          group = group.map { $0 + 1 }
        }
        plain.unicodeScalars.append(scalar)
      }
    }
    guard group ?? 3 == 3, Number.isNumeric(plain) else { return nil }
    return plain
  }
}

package import ObjectModel
import TerminalKit

/// A line of the summary of a column.
package nonisolated struct SummaryLine {
  /// What a line is.
  package enum Kind {
    /// A name and what the column has of it, as the mean.
    case fact
    /// A value or a step, and how many rows have it.
    case share
    /// A heading above values or steps.
    case heading
  }

  package let kind: Kind
  package let label: String
  /// What the column has; the number of rows.
  package let text: String
  /// The number of rows as a part of the greatest one of its kind, 0 to 1.
  package var part = 0.0
  /// The condition of the rows that the line is about; nil if there is none.
  var condition: String?

  /// The lines of a summary.
  ///
  /// - Parameters:
  ///   - summary: The summary.
  ///   - path: The names of the relationships and of the attribute, for conditions.
  ///   - text: Writes a value of the column.
  /// - Returns: The lines, from the number of rows to the distribution.
  package static func lines(
    of summary: ColumnSummary, path: [String], text: (Value) -> String
  ) -> [SummaryLine] {
    let key = FetchPredicate.Expression.keyPath(path)
    func condition(_ value: Value, _ sign: String = "==") -> String {
      ValueCondition(key, sign, .constant(value)).text
    }
    var lines: [SummaryLine] = []
    func fact(_ label: String, _ text: String?, _ condition: String? = nil) {
      guard let text else { return }
      lines.append(SummaryLine(kind: .fact, label: label, text: text, condition: condition))
    }
    let about = summary.isEstimate ? "≈ " : ""
    fact("rows", groupedDigits(summary.rowCount))
    fact(
      "without value", groupedDigits(summary.nullCount),
      summary.nullCount > 0 ? condition(.null) : nil)
    if summary.foreignCount > 0 {
      fact("of another kind", about + groupedDigits(summary.foreignCount))
    }
    fact("distinct", summary.distinctCount.map { about + groupedDigits($0) })
    fact("least", summary.least.map(text), summary.least.map { condition($0) })
    fact("greatest", summary.greatest.map(text), summary.greatest.map { condition($0) })
    fact("sum", summary.sum.map(text))
    fact("mean", summary.mean.map(text))
    if let quartiles = summary.quartiles {
      fact("lower quartile", about + text(quartiles.lower))
      fact("median", about + text(quartiles.median))
      fact("upper quartile", about + text(quartiles.upper))
    }
    if let lengths = summary.lengths {
      let isBytes = summary.attribute.kind == .bytes
      func unit(_ count: Int) -> String {
        isBytes ? ValueText.bytes(count) : counted(count, "character")
      }
      let least = isBytes ? unit(lengths.least) : groupedDigits(lengths.least)
      fact(
        isBytes ? "sizes" : "lengths",
        (lengths.least == lengths.greatest ? "" : "\(least) to ") + unit(lengths.greatest))
      fact(isBytes ? "mean size" : "mean length", unit(Int(lengths.mean.rounded())))
    }
    func shares(_ heading: String, _ counted: [(String, Int, String?)]) {
      let most = counted.map(\.1).max() ?? 0
      guard most > 0 else { return }
      lines.append(SummaryLine(kind: .heading, label: heading, text: ""))
      for (label, count, condition) in counted {
        lines.append(
          SummaryLine(
            kind: .share, label: label, text: groupedDigits(count),
            part: Double(count) / Double(most), condition: condition))
      }
    }
    let isWhole = summary.mostFrequent.count == summary.distinctCount
    // Where all values differ, none is frequent.
    let hasFrequent = isWhole || summary.mostFrequent.contains { $0.rowCount > 1 }
    shares(
      isWhole ? "values" : "most frequent values",
      (hasFrequent ? summary.mostFrequent : []).map {
        (text($0.value) + ($0.isCut ? "…" : ""), $0.rowCount, $0.isCut ? nil : condition($0.value))
      })
    // The values themselves say more.
    if isWhole { return lines }
    shares(
      "distribution",
      (summary.histogram?.bins ?? []).map { bin in
        (
          bin.label ?? "\(text(bin.lower)) to \(text(bin.upper))", bin.rowCount,
          "\(condition(bin.lower, ">=")) AND \(condition(bin.upper, "<"))"
        )
      })
    return lines
  }
}

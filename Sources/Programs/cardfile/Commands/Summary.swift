import ArgumentParser
import CardfileApp
import ObjectModel
import RowOutput
import TerminalKit

/// `cardfile summary`: prints what the values of columns are like.
struct Summary: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "summary",
    abstract: "Summarize columns: distinct and frequent values, mean, quartiles, distribution.",
    discussion: """
      A column is an attribute, or a key path over to-one relationships. Without columns all \\
      attributes have a line each.

      EXAMPLES
        cardfile summary chinook.sqlite Track
        cardfile summary chinook.sqlite Track Milliseconds album.artist.Name
        cardfile summary chinook.sqlite Invoice Total --where "BillingCountry = 'Canada'" \\
          --format json
      """)

  @OptionGroup var storeArgument: StoreArgument
  @OptionGroup var typeOption: TypeOption
  @OptionGroup var entityArgument: EntityArgument

  @Argument(help: "The columns; by default all attributes, with a line each.")
  var columns: [String] = []

  @OptionGroup var conditionOption: ConditionOption

  @Option(help: "The output format.")
  var format = ListFormat.table

  func run() throws {
    let opened = try OpenedStore(storeArgument, typeOption)
    let entity = try opened.names.entity(entityArgument.entity)
    let paths = columns.isEmpty ? entity.attributes.map(\.name) : columns
    let fetch = try opened.plan(for: entity, condition: conditionOption.condition)
    let plan = SummaryPlan(
      fetch,
      columns: try paths.map { try column($0, of: entity, in: opened) })
    let summaries = try opened.store.summarize(plan)
    var output = StandardOutput()
    switch format {
    case .json:
      for (summary, column) in zip(summaries, plan.columns) {
        try output.writeUnchanged(
          SummaryJSON.line(of: summary, entity: entity.name, column: column))
      }
    case .table:
      if columns.isEmpty {
        try writeTable(summaries, to: &output)
      } else {
        for (index, summary) in summaries.enumerated() {
          if index > 0 { try output.writeLine("") }
          try write(summary, plan.columns[index], of: entity, to: &output)
        }
      }
    }
    try output.flush()
  }

  private func column(_ name: String, of entity: EntityDescription, in opened: OpenedStore)
    throws(Failure) -> SummaryPlan.Column
  {
    let path = AttributePath.toTitle(name, from: entity, in: opened.store.model)
    do throws(TypedTextError) {
      _ = try AttributePath.attribute(at: path, from: entity, in: opened.store.model)
    } catch {
      throw opened.names.failure(error, in: entity, option: "summary")
    }
    let steps = KeyPathText.components(of: path) ?? [path]
    guard let column = SummaryPlan.Column(steps, of: entity, in: opened.store.model) else {
      throw Failure(
        .usage, "summary: “\(path)” leads to many objects",
        try: "summarize the entity of \(steps.last ?? path) itself")
    }
    return column
  }

  private static let widestText = 40

  private static func text(_ value: Value) -> String {
    let line = ValueText.line(value, format: NumberFormat()) ?? "NULL"
    return Signs.unicode.cut(line, to: widestText)
  }

  /// A line for each attribute.
  private func writeTable(_ summaries: [ColumnSummary], to output: inout StandardOutput) throws {
    var table = TextTable(columns: [
      .init(title: "column", isNumeric: false), .init(title: "values", isNumeric: true),
      .init(title: "NULL", isNumeric: true), .init(title: "distinct", isNumeric: true),
      .init(title: "least", isNumeric: false), .init(title: "greatest", isNumeric: false),
      .init(title: "mean", isNumeric: true), .init(title: "most frequent", isNumeric: false),
    ])
    for summary in summaries {
      let about = summary.isEstimate ? "≈ " : ""
      let frequent = summary.mostFrequent.first.map {
        "\(Self.text($0.value)) (\(groupedDigits($0.rowCount)))"
      }
      try table.write(
        [
          summary.attribute.name, groupedDigits(summary.rowCount - summary.nullCount),
          groupedDigits(summary.nullCount),
          summary.distinctCount.map { about + groupedDigits($0) } ?? "",
          summary.least.map(Self.text) ?? "", summary.greatest.map(Self.text) ?? "",
          summary.mean.map(Self.text) ?? "", frequent ?? "",
        ], to: &output)
    }
    try table.finish(&output)
  }

  private static let barWidth = 30

  /// All of one column.
  private func write(
    _ summary: ColumnSummary, _ column: SummaryPlan.Column, of entity: EntityDescription,
    to output: inout StandardOutput
  ) throws {
    try output.writeLine("\(entity.name).\(KeyPathText.text(column.path))")
    let lines = SummaryLine.lines(of: summary, path: column.path, text: Self.text)
    for group in lines.split(whereSeparator: { $0.kind == .heading }) {
      if group.startIndex > 0 { try output.writeLine("  \(lines[group.startIndex - 1].label)") }
      let isFacts = group.first?.kind == .fact
      let labels = group.reduce(0) { max($0, displayWidth(of: $1.label)) }
      let counts = group.reduce(0) { max($0, displayWidth(of: $1.text)) }
      for line in group {
        let label = line.label.padded(to: labels)
        if isFacts {
          try output.writeLine("  \(label)  \(line.text)")
        } else {
          let bar = String(
            repeating: Signs.unicode.bar,
            count: Int((line.part * Double(Self.barWidth)).rounded(.up)))
          let count =
            String(repeating: " ", count: counts - displayWidth(of: line.text)) + line.text
          try output.writeLine("    \(label)  \(count)" + (bar.isEmpty ? "" : "  \(bar)"))
        }
      }
    }
  }
}

extension String {
  /// The text with spaces up to a width on a terminal.
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - displayWidth(of: self)))
  }
}

import ObjectModel
import TerminalKit

/// Describes stores, models and entities for a person.
enum EntityText {
  /// A line such as `chinook.sqlite: SQLite database, 1,007,616 bytes, DELETE journal`.
  static func summary(_ summary: StoreSummary) -> String {
    let facts = [
      summary.kind,
      summary.generation.map { "written by \(Signs.unicode.visible($0))" },
      summary.byteCount.map { "\(groupedDigits($0)) bytes" },
      summary.journalMode.map { "\($0) journal" },
    ]
    return "\(Signs.unicode.visible(summary.name)): "
      + facts.compactMap(\.self).joined(separator: ", ")
  }

  /// Writes an entity: its name, its attributes, its relationships with their rules, and what else the model says.
  static func write(
    _ entity: EntityDescription, of text: ModelText, to output: inout StandardOutput
  ) throws {
    try writeLines([text.title(of: entity)], to: &output)
    for (place, rows) in text.tables(of: entity).enumerated() {
      if place > 0 { try output.writeLine("") }
      var table = TextTable(
        columns: rows.columns.enumerated().map { index, title in
          .init(title: (index == 0 ? "  " : "") + title, isNumeric: false)
        }, widestCell: 100)
      for row in rows.rows {
        try table.write(["  " + (row.first ?? "")] + row.dropFirst(), to: &output)
      }
      try table.finish(&output)
    }
    let lines = text.lines(of: entity)
    if !lines.isEmpty { try output.writeLine("") }
    try writeLines(lines.map { "  " + $0 }, to: &output)
  }

  /// Writes lines, whatever signs are in their names.
  static func writeLines(_ lines: [String], to output: inout StandardOutput) throws {
    for line in lines { try output.writeLine(Signs.unicode.visible(line)) }
  }
}

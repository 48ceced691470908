import ObjectModel
import TerminalKit
import RowOutput

/// Descriptions of stores and entities as text.
enum EntityText {
  /// Returns a line such as `chinook.sqlite: SQLite database, 1,007,616 bytes, rollback journal`.
  static func summary(_ summary: StoreSummary) -> String {
    let facts = [
      summary.kind,
      summary.generation.map { "written by \($0)" },
      summary.byteCount.map { counted($0, "byte") },
      summary.journalMode.map(journal),
    ]
    return "\(summary.name): "
      + facts.compactMap(\.self).joined(separator: ", ")
  }

  /// What SQLite's journal mode keeps: changes that are not in the file yet, or what they replace.
  private static func journal(_ mode: String) -> String {
    switch mode {
    case "WAL": "write-ahead log"
    case "MEMORY", "OFF": "no journal on disk"
    default: "rollback journal"
    }
  }

  /// Writes an entity's name, attributes and relationships, and the remaining facts of the model.
  static func write(
    _ entity: EntityDescription, of text: ModelText, to output: inout StandardOutput
  ) throws {
    try output.writeLine(text.title(of: entity))
    for (tableIndex, rows) in text.tables(of: entity).enumerated() {
      if tableIndex > 0 { try output.writeLine("") }
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
    for line in lines { try output.writeLine("  " + line) }
  }
}

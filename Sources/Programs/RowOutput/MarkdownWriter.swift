import ObjectModel
import TerminalKit

/// Writes a table in Markdown: a line of column names, a line of dashes, then one line per object.
package struct MarkdownWriter: RowWriter {
  private let columns: [OutputColumn]
  private var isStarted = false

  /// Creates a writer.
  package init(columns: [OutputColumn]) { self.columns = columns }

  package mutating func write(_ row: OutputRow, to output: inout some OutputSink) throws {
    try start(&output)
    try output.writeUnchanged(Self.line(zip(columns, row.fields).map(Self.text)))
  }

  package mutating func finish(_ output: inout some OutputSink) throws { try start(&output) }

  private mutating func start(_ output: inout some OutputSink) throws {
    guard !isStarted else { return }
    isStarted = true
    try output.writeUnchanged(Self.line(columns.map { Self.escaped($0.name) }))
    try output.writeUnchanged(
      Self.line(
        columns.map { column in
          if case .attribute(let attribute) = column.kind, attribute.type.isNumeric {
            "--:"
          } else {
            "---"
          }
        }))
  }

  private static func line(_ cells: [String]) -> String {
    "| " + cells.joined(separator: " | ") + " |"
  }

  private static func text(_ column: OutputColumn, _ field: OutputField) -> String {
    switch field {
    case .value(.null), .object(nil): ""
    case .value(let value):
      if case .attribute(let attribute) = column.kind {
        escaped(attribute.decode(value).description)
      } else {
        escaped(value.description)
      }
    case .object(let id?), .dangling(let id): escaped(id.uriRepresentation)
    case .objects(let ids): "\(ids.count)"
    case .missingFile(let name): escaped(name)
    }
  }

  /// A text in which a bar or a line break does not end the cell, and nothing is markup.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "|", "\\", "`", "*", "_", "[", "]", "<", "~", "#": result += "\\\(scalar)"
      case "\n": result += "<br>"
      case "\r": break
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result.split(separator: "<br>", omittingEmptySubsequences: false)
      .map { Signs.unicode.visible($0) }.joined(separator: "<br>")
  }
}

import ObjectModel
import TerminalKit

/// Writes objects as aligned columns with formatted values; NULL is `∅`.
package struct TableWriter: RowWriter {
  private let columns: [OutputColumn]
  private var table: TextTable

  package init(columns: [OutputColumn]) {
    self.columns = columns
    table = TextTable(
      columns: columns.map { column in
        if case .attribute(let attribute) = column.kind {
          TextTable.Column(title: column.name, isNumeric: attribute.type.isNumeric)
        } else {
          TextTable.Column(title: column.name, isNumeric: false)
        }
      }, widestCell: 48)
  }

  package mutating func write(_ row: OutputRow, to output: inout some OutputSink) throws {
    try table.write(zip(columns, row.fields).map(text), to: &output)
  }

  package mutating func finish(_ output: inout some OutputSink) throws { try table.finish(&output) }

  private func text(_ column: OutputColumn, _ field: OutputField) -> String {
    switch field {
    case .value(.null), .object(nil): Signs.unicode.null
    case .value(let value):
      if case .attribute(let attribute) = column.kind {
        attribute.decode(value).description
      } else {
        value.description
      }
    case .object(let id?), .dangling(let id): id.uriRepresentation
    case .objects(let ids): "\(ids.count)"
    case .missingFile(let name): name
    }
  }
}

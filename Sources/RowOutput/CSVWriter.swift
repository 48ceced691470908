import ObjectModel

/// Writes CSV: a line of column names, then one line per object.
///
/// Relationships are written as object IDs; those of a to-many are separated by spaces.
package struct CSVWriter: RowWriter {
  private var header: [String]?

  package init(columns: [OutputColumn]) { header = columns.map(\.name) }

  package mutating func write(_ row: OutputRow, to output: inout some OutputSink) throws {
    writeHeader(&output)
    CSVText.appendLine(row.fields.map(text), to: &output.bytes)
    try output.flushIfLarge()
  }

  package mutating func finish(_ output: inout some OutputSink) { writeHeader(&output) }

  private mutating func writeHeader(_ output: inout some OutputSink) {
    if let header { CSVText.appendLine(header, to: &output.bytes) }
    header = nil
  }

  private func text(_ field: OutputField) -> String? {
    switch field {
    case .value(let value): value.isNull ? nil : value.plainText.replacingInvalidBytes
    case .object(let id): id?.uriRepresentation
    case .objects(let ids): ids.isEmpty ? nil : ids.map(\.uriRepresentation).joined(separator: " ")
    case .missingFile(let name): name
    }
  }
}

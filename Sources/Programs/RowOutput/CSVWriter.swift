package import ObjectModel

/// Writes CSV: a line of column names, then one line per object.
///
/// Relationships are written as object IDs; those of a to-many are separated by spaces.
package struct CSVWriter: FieldWriter {
  private var header: [String]?

  package init(columns: [OutputColumn]) { header = columns.map(\.name) }

  package mutating func finish(_ output: inout some OutputSink) { writeHeader(&output.bytes) }

  private mutating func writeHeader(_ bytes: inout [UInt8]) {
    if let header { CSVText.appendLine(header, to: &bytes) }
    header = nil
  }

  package mutating func beginRow(
    _ columns: [OutputColumn], of entityName: String, to bytes: inout [UInt8]
  ) {
    writeHeader(&bytes)
  }

  package func beginField(at index: Int, to bytes: inout [UInt8]) {
    if index > 0 { bytes.append(UInt8(ascii: ",")) }
  }

  package func append(_ field: StoredField, at index: Int, to bytes: inout [UInt8]) {
    beginField(at: index, to: &bytes)
    switch field {
    case .null: break
    case .integer(let number): bytes.append(decimal: number)
    case .text(let text): CSVText.append(text, to: &bytes)
    case .double, .bytes: CSVText.append(field.value.plainText, to: &bytes)
    }
  }

  package func append(_ field: OutputField, to bytes: inout [UInt8]) {
    switch field {
    case .value(let value): CSVText.append(value.plainText, to: &bytes)
    case .object(let id):
      if let id { CSVText.append(id.uriRepresentation, to: &bytes) }
    case .dangling(let id): CSVText.append(id.uriRepresentation, to: &bytes)
    case .objects(let ids):
      guard !ids.isEmpty else { break }
      CSVText.append(ids.map(\.uriRepresentation).joined(separator: " "), to: &bytes)
    case .missingFile(let name): CSVText.append(name, to: &bytes)
    }
  }

  /// An empty field is NULL.
  package func quotesBase64(isEmpty: Bool) -> Bool { isEmpty }

  package func endRow(to bytes: inout [UInt8]) { CSVText.appendLineEnd(to: &bytes) }
}

import Foundation
package import ObjectModel

/// Prints objects in one format.
package protocol RowWriter {
  /// Prints an object.
  mutating func write(_ row: OutputRow, to output: inout some OutputSink) throws
  /// Called once, after the last row.
  mutating func finish(_ output: inout some OutputSink) throws
}

/// Prints objects field by field, so that stored text goes from the store to the output unchanged.
package protocol FieldWriter: RowWriter {
  /// Called before the fields of each row.
  mutating func beginRow(
    _ columns: [OutputColumn], of entityName: String, to bytes: inout [UInt8])
  /// Appends what comes before a field.
  mutating func beginField(at index: Int, to bytes: inout [UInt8])
  /// Appends a field that is null, a number or text, and what comes before it.
  func append(_ field: StoredField, at index: Int, to bytes: inout [UInt8])
  /// Appends a field that is not a stored value.
  func append(_ field: OutputField, to bytes: inout [UInt8])
  /// Whether base64 is in quotes.
  func quotesBase64(isEmpty: Bool) -> Bool
  /// Appends what comes after the fields of a row.
  func endRow(to bytes: inout [UInt8])
}

extension FieldWriter {
  package mutating func write(_ row: OutputRow, to output: inout some OutputSink) throws {
    beginRow(row.columns, of: row.entityName, to: &output.bytes)
    for (index, field) in row.fields.enumerated() { try write(field, at: index, to: &output) }
    endRow(to: &output.bytes)
    try output.flushIfLarge()
  }

  mutating func write(
    _ field: OutputField, at index: Int, to output: inout some OutputSink
  ) throws {
    if case .value(let value) = field,
      try value.withStoredField({ try write($0, at: index, to: &output) }) != nil
    {
      return
    }
    beginField(at: index, to: &output.bytes)
    append(field, to: &output.bytes)
  }

  mutating func write(
    _ field: StoredField, at index: Int, to output: inout some OutputSink
  ) throws {
    guard case .bytes(let bytes) = field else {
      return append(field, at: index, to: &output.bytes)
    }
    beginField(at: index, to: &output.bytes)
    try output.appendBase64(of: bytes, isQuoted: quotesBase64(isEmpty: bytes.isEmpty))
  }
}

/// How the fields of a column are written.
enum FieldSource {
  /// As they are stored.
  case stored
  /// As values in the form of the output.
  case formed(AttributeDescription)
}

package import ObjectModel

/// Writes one JSON array with an object on each line.
package struct JSONArrayWriter: FieldWriter {
  private var rows = JSONWriter()
  private var isEmpty = true

  /// Creates a writer.
  package init() {}

  package mutating func finish(_ output: inout some OutputSink) throws {
    output.bytes.append(contentsOf: (isEmpty ? "[]\n" : "]\n").utf8)
    try output.flushIfLarge()
  }

  package mutating func beginRow(
    _ columns: [OutputColumn], of entityName: String, to bytes: inout [UInt8]
  ) {
    bytes.append(contentsOf: (isEmpty ? "[\n" : ",").utf8)
    isEmpty = false
    rows.beginRow(columns, of: entityName, to: &bytes)
  }

  package func beginField(at index: Int, to bytes: inout [UInt8]) {
    rows.beginField(at: index, to: &bytes)
  }

  package func append(_ field: StoredField, to bytes: inout [UInt8]) {
    rows.append(field, to: &bytes)
  }

  package func append(_ field: OutputField, to bytes: inout [UInt8]) {
    rows.append(field, to: &bytes)
  }

  package func quotesBase64(isEmpty: Bool) -> Bool { rows.quotesBase64(isEmpty: isEmpty) }

  package func endRow(to bytes: inout [UInt8]) { rows.endRow(to: &bytes) }
}

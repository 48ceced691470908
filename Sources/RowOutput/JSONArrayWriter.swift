/// Writes one JSON array with an object on each line.
package struct JSONArrayWriter: RowWriter {
  private var rows = JSONWriter()
  private var isEmpty = true

  /// Creates a writer.
  package init() {}

  package mutating func write(_ row: OutputRow, to output: inout some OutputSink) throws {
    output.bytes.append(contentsOf: (isEmpty ? "[\n" : ",").utf8)
    isEmpty = false
    try rows.write(row, to: &output)
  }

  package mutating func finish(_ output: inout some OutputSink) throws {
    output.bytes.append(contentsOf: (isEmpty ? "[]\n" : "]\n").utf8)
    try output.flushIfLarge()
  }
}

import ObjectModel

/// Prints objects in one format.
package protocol RowWriter {
  /// Prints an object.
  mutating func write(_ row: OutputRow, to output: inout some OutputSink) throws
  /// Called once, after the last row.
  mutating func finish(_ output: inout some OutputSink) throws
}

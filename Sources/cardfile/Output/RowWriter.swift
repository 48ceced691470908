import ObjectModel

/// Prints objects, one after the other, in one format.
protocol RowWriter {
  /// Whether long values must be whole.
  var needsWholeValues: Bool { get }
  mutating func write(_ row: [OutputField], to output: inout StandardOutput) throws
  /// Called once, after the last row.
  mutating func finish(_ output: inout StandardOutput) throws
}

extension OutputFormat {
  /// Makes the writer of the format.
  func writer(for columns: [OutputColumn]) -> any RowWriter {
    switch self {
    case .table: TableWriter(columns: columns)
    case .csv: CSVWriter(columns: columns)
    case .json: JSONWriter(columns: columns)
    }
  }
}

import ObjectModel

/// Prints objects, one after the other, in one format.
protocol RowWriter {
  mutating func write(_ row: OutputRow, to output: inout StandardOutput) throws
  /// Called once, after the last row.
  mutating func finish(_ output: inout StandardOutput) throws
}

extension OutputFormat {
  /// Makes the writer of the format; the columns are those of the entity that is fetched.
  func writer(for columns: [OutputColumn]) -> any RowWriter {
    switch self {
    case .table: TableWriter(columns: columns)
    case .csv: CSVWriter(columns: columns)
    case .json: JSONWriter()
    }
  }

  /// The form in which the format prints values.
  func valueForm(ofCoreData isCoreData: Bool) -> ValueForm {
    switch self {
    case .table: .shown
    case .csv, .json: isCoreData ? .logical : .stored
    }
  }
}

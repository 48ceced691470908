import ObjectModel

/// Prints objects in one format.
protocol RowWriter {
  mutating func write(_ row: OutputRow, to output: inout StandardOutput) throws
  /// Called once, after the last row.
  mutating func finish(_ output: inout StandardOutput) throws
}

extension OutputFormat {
  /// Returns a writer for the format; `columns` are those of the fetched entity.
  func writer(for columns: [OutputColumn]) -> any RowWriter {
    switch self {
    case .table: TableWriter(columns: columns)
    case .csv: CSVWriter(columns: columns)
    case .json: JSONWriter()
    }
  }

  /// Returns the form in which the format prints values of a Core Data store or of another one.
  func valueForm(ofCoreData isCoreData: Bool) -> ValueForm {
    switch self {
    case .table: .shown
    case .csv, .json: isCoreData ? .logical : .stored
    }
  }
}

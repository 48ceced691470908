import ArgumentParser
import RowOutput

/// The formats for objects.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
  /// Aligned columns with formatted values.
  case table
  /// CSV as in RFC 4180, with stored values.
  case csv
  /// One JSON object per line, with stored values.
  case json
}

/// The formats for lists of entities, transactions and findings.
enum ListFormat: String, ExpressibleByArgument, CaseIterable {
  case table, json
}

/// The formats for a model.
enum DescriptionFormat: String, ExpressibleByArgument, CaseIterable {
  /// Text for a person.
  case text
  /// The complete model as JSON, which can be read back as a model.
  case json
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

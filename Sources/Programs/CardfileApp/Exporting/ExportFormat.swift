import RowOutput

/// The format of an exported file, by the ending of its name.
nonisolated enum ExportFormat: String, CaseIterable, Sendable {
  case csv, json, jsonl, md

  /// The endings of all formats, as `.csv`.
  static var endings: [String] { allCases.map { ".\($0.rawValue)" } }

  /// The name of a file with its ending, `.csv` if it has none, and its format.
  ///
  /// - Returns: Nil for an ending of another format.
  static func file(_ name: String) -> (name: String, format: ExportFormat)? {
    let last = name.split(separator: "/").last ?? ""
    guard let dot = last.lastIndex(of: "."), dot > last.startIndex else {
      return (name + ".csv", .csv)
    }
    let ending = last[last.index(after: dot)...].lowercased()
    return ExportFormat(rawValue: ending).map { (name, $0) }
  }

  /// Makes a writer of rows with some columns.
  func writer(_ columns: [OutputColumn]) -> any RowWriter {
    switch self {
    case .csv: CSVWriter(columns: columns)
    case .json: JSONWriter(asArray: true)
    case .jsonl: JSONWriter()
    case .md: MarkdownWriter(columns: columns)
    }
  }
}

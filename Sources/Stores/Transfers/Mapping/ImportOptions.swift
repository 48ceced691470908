/// The format of a file with objects.
package enum TransferFormat: String, CaseIterable, Sendable {
  case csv, tsv, json

  /// The format that the ending of a file's name says; nil for another one.
  init?(path: String) {
    var name = path.lowercased()
    if name.hasSuffix(".gz") { name.removeLast(3) }
    switch name.split(separator: ".").last {
    case "csv": self = .csv
    case "tsv", "tab": self = .tsv
    case "json", "jsonl", "ndjson": self = .json
    default: return nil
    }
  }
}

/// What a person says about a file that is imported; the rest is recognised.
package struct ImportOptions: Hashable, Sendable {
  /// The format; nil to recognise it.
  package var format: TransferFormat?
  /// What separates the fields of a record; nil to recognise it.
  package var delimiter: UInt8?
  /// How text is encoded; nil to recognise it.
  package var encoding: TextEncoding?
  /// Whether the first record has the names of the columns.
  package var hasHeader = true
  /// Whether an empty field without quotes is empty text instead of NULL.
  package var emptyIsText = false
  /// The property of a column; empty for a column that is left out.
  package var properties: [String: String] = [:]
  /// The attributes by which an object is found that is to be updated; empty to insert all.
  package var keys: [String] = []
  /// The attribute by which the objects of a relationship are found.
  package var links: [String: String] = [:]
  /// How an attribute's dates are written: a pattern, `unix`, `unixms` or `2001`.
  package var dates: [String: String] = [:]

  package init() {}
}

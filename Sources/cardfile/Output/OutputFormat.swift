import ArgumentParser

/// How objects are printed.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
  /// Aligned columns, values as a person reads them.
  case table
  /// RFC 4180, stored values.
  case csv
  /// One object a line, stored values.
  case json
}

/// How entities are printed.
enum EntityFormat: String, ExpressibleByArgument, CaseIterable {
  case table, json
}

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

/// How entities and the like are printed.
enum ListFormat: String, ExpressibleByArgument, CaseIterable {
  case table, json
}

/// How a model is printed.
enum DescriptionFormat: String, ExpressibleByArgument, CaseIterable {
  /// For a person.
  case text
  /// All of it, to be read again as a model.
  case json
}

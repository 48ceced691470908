import SQLQueries

extension SQL {
  /// The statement as SQLite reads it.
  var text: String { text(in: .sqlite) }
}

import SQLQueries

extension SQL {
  /// Two result columns for a value: the value, truncated to a limit in characters of text or bytes
  /// of a blob if its storage class is one of `types`, and its length; NULL if it is not truncated.
  static func truncated(_ value: SQL, to limit: Int, types: SQL) -> [SQL] {
    let isLong: SQL = "typeof(\(value)) IN (\(types)) AND length(\(value)) > \(number: limit)"
    return [
      "CASE WHEN \(isLong) THEN substr(\(value), 1, \(number: limit)) ELSE \(value) END",
      "CASE WHEN \(isLong) THEN length(\(value)) END",
    ]
  }
}

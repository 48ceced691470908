import SQLQueries

extension SQL {
  /// Result columns for a value that may be long.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - limit: The longest value that is returned whole, in characters of text or bytes of a blob.
  ///   - types: The storage classes that are truncated, as SQL: `'blob', 'text'`.
  /// - Returns: The value, truncated if it is longer, and its length; NULL if it is not truncated.
  static func truncated(_ value: SQL, to limit: Int, types: SQL) -> [SQL] {
    let isLong: SQL = "typeof(\(value)) IN (\(types)) AND length(\(value)) > \(number: limit)"
    return [
      "CASE WHEN \(isLong) THEN substr(\(value), 1, \(number: limit)) ELSE \(value) END",
      "CASE WHEN \(isLong) THEN length(\(value)) END",
    ]
  }
}

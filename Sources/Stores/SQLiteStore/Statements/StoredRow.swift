import ObjectModel

/// A row as it is stored.
protocol StoredRow: ~Copyable {
  /// Whether a column is an integer.
  borrowing func isInteger(_ column: Int32) -> Bool

  /// A column as an integer; 0 if it cannot be converted.
  borrowing func integer(_ column: Int32) -> Int64

  /// A column's stored value.
  borrowing func value(_ column: Int32) -> Value
}

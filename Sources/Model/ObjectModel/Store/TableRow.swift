/// The row of a table behind an object.
package struct TableRow: Hashable, Sendable {
  /// A column and its value.
  package struct Column: Hashable, Sendable {
    /// The column's name.
    package let name: String
    /// The stored value; long text and blobs are truncated.
    package let value: Value
    /// The length of a truncated value, in characters of text or bytes of a blob; nil if the value
    /// is not truncated.
    package let cutLength: Int?

    /// Describes a column.
    package init(name: String, value: Value, cutLength: Int? = nil) {
      self.name = name
      self.value = value
      self.cutLength = cutLength
    }
  }

  /// The table's name.
  package let table: String
  /// All columns, in the table's order.
  package let columns: [Column]

  /// Describes a row.
  package init(table: String, columns: [Column]) {
    self.table = table
    self.columns = columns
  }
}

/// The row of a table behind an object.
public struct TableRow: Hashable, Sendable {
  /// A column and its value.
  public struct Column: Hashable, Sendable {
    /// The column's name.
    public let name: String
    /// The stored value; long text and blobs are truncated.
    public let value: Value
    /// The length of a truncated value, in characters of text or bytes of a blob; nil if the value
    /// is not truncated.
    public let cutLength: Int?

    /// Describes a column.
    public init(name: String, value: Value, cutLength: Int? = nil) {
      self.name = name
      self.value = value
      self.cutLength = cutLength
    }
  }

  /// The table's name.
  public let table: String
  /// All columns, in the table's order.
  public let columns: [Column]

  /// Describes a row.
  public init(table: String, columns: [Column]) {
    self.table = table
    self.columns = columns
  }
}

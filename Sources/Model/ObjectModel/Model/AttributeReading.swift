/// How a column of a plain database is read, and why: what its attribute knows beyond its type.
package struct AttributeReading: Hashable, Sendable {
  /// What the column is.
  package var kind: ColumnKind
  /// What it was decided by, as "all 2 values between 2017 and 2025".
  package var reason: String
  /// Whether a person said so.
  package var isChosen: Bool
  /// A stored value of the column, whose form new ones take; null for none.
  package var example: Value
  /// Whether the column holds nothing but UUIDs in text, which new ones are written like.
  package var holdsUUIDs: Bool
  /// How SQLite converts what is stored in the column.
  package var conversion: StorageConversion

  package init(
    _ kind: ColumnKind, reason: String, isChosen: Bool = false, example: Value = .null,
    holdsUUIDs: Bool = false, conversion: StorageConversion = .none
  ) {
    self.kind = kind
    self.reason = reason
    self.isChosen = isChosen
    self.example = example
    self.holdsUUIDs = holdsUUIDs
    self.conversion = conversion
  }

  /// What the column is and why, as "seconds since 2001: REAL, name, all 2 values seen between 2017
  /// and 2025".
  package var words: String { "\(kind.phrase): \(reason)" }
}

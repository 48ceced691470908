/// One sort key: a key path, a direction and a comparison (Core Data's NSSortDescriptor).
public struct FetchSortDescriptor: Hashable, Sendable {
  /// How values are compared.
  public enum Comparison: Hashable, Sendable {
    /// Numbers by value, text by its UTF-8 bytes.
    case binary
    /// Text ignoring case; texts that are equal then by their UTF-8 bytes.
    case caseInsensitive
    /// Text ignoring case and diacritics; texts that are equal then by their UTF-8 bytes.
    ///
    /// With `numeric`, runs of digits are compared by value: “Item 2” comes before “Item 10”.
    case localized(numeric: Bool)
    /// Text by a collation of the store; a store that does not have it throws an error.
    case collation(TextCollation)

    /// The localized comparison with digits compared as text.
    public static let localized = Comparison.localized(numeric: false)
  }

  /// The key path of an attribute, of this entity or reached through to-one relationships.
  package var keyPath: String
  /// Whether smaller values come first; NULL is smaller than every value.
  package var ascending: Bool
  /// How values are compared.
  package var comparison: Comparison

  /// Creates a sort descriptor.
  public init(_ keyPath: String, ascending: Bool = true, comparison: Comparison = .binary) {
    self.keyPath = keyPath
    self.ascending = ascending
    self.comparison = comparison
  }

  /// The collation that text is compared by; nil for none.
  package var collation: TextCollation? {
    if case .collation(let collation) = comparison { collation } else { nil }
  }

  /// The same sort descriptor in the opposite direction.
  package var reversed: FetchSortDescriptor {
    FetchSortDescriptor(keyPath, ascending: !ascending, comparison: comparison)
  }
}

/// One key of a sort order.
public struct FetchSortDescriptor: Hashable, Sendable {
  /// How values are compared.
  public enum Comparison: Hashable, Sendable {
    /// As stored: numbers by value, text by its bytes.
    case binary
    /// Text without regard to case; equal ones by their bytes.
    case caseInsensitive
    /// Text in a person's order: case and accents folded; equal ones by their bytes. `numeric` compares runs of digits by value.
    case localized(numeric: Bool)

    /// A person's order, digits as text.
    public static let localized = Comparison.localized(numeric: false)
  }

  /// The key path: an attribute, or one reached through to-one relationships.
  public var keyPath: String
  /// Whether small comes first.
  ///
  /// NULL is smaller than everything.
  public var ascending: Bool
  /// How values are compared.
  public var comparison: Comparison

  /// Sorts by a key path.
  ///
  /// - Parameters:
  ///   - keyPath: The key path.
  ///   - ascending: Whether small comes first.
  ///   - comparison: How values are compared.
  public init(_ keyPath: String, ascending: Bool = true, comparison: Comparison = .binary) {
    self.keyPath = keyPath
    self.ascending = ascending
    self.comparison = comparison
  }

  /// The same key the other way round.
  public var reversed: FetchSortDescriptor {
    FetchSortDescriptor(keyPath, ascending: !ascending, comparison: comparison)
  }
}

/// Describes an index that a model asks for.
public struct FetchIndexDescription: Hashable, Sendable {
  /// What an element of an index is.
  public enum Kind: String, Hashable, Sendable, Codable {
    /// An ordered index.
    case binary
    /// A spatial index.
    case rTree
  }

  /// A part of an index.
  public struct Element: Hashable, Sendable {
    /// The property's name, or the expression in words.
    public var property: String
    /// Whether ``property`` is an expression and no name.
    public var isExpression: Bool
    /// Its kind.
    public var kind: Kind
    /// Whether it ascends.
    public var isAscending: Bool

    /// Describes an element.
    ///
    /// - Parameters:
    ///   - property: The property's name, or an expression.
    ///   - isExpression: Whether it is an expression.
    ///   - kind: Its kind.
    ///   - isAscending: Whether it ascends.
    public init(
      _ property: String, isExpression: Bool = false, kind: Kind = .binary,
      isAscending: Bool = true
    ) {
      self.property = property
      self.isExpression = isExpression
      self.kind = kind
      self.isAscending = isAscending
    }
  }

  /// The index's name.
  public var name: String
  /// Its parts.
  public var elements: [Element]
  /// Which objects are in it, in the words of a predicate; nil for all.
  public var partialPredicate: String?

  /// Describes an index.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - elements: Its parts.
  ///   - partialPredicate: Which objects are in it.
  public init(_ name: String, elements: [Element], partialPredicate: String? = nil) {
    self.name = name
    self.elements = elements
    self.partialPredicate = partialPredicate
  }
}

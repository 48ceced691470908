/// Describes an index in a Core Data model (NSFetchIndexDescription).
package struct FetchIndexDescription: Hashable, Sendable {
  /// The type of an index element.
  package enum Kind: String, Hashable, Sendable, Codable {
    /// An ordinary ordered index.
    case binary
    /// A spatial index (an R-tree).
    case rTree
  }

  /// An element of an index.
  package struct Element: Hashable, Sendable {
    /// The name of the property, or the text of the expression.
    package var property: String
    /// Whether ``property`` is an expression.
    package var isExpression: Bool
    /// The type of the element.
    package var kind: Kind
    /// Whether the order is ascending.
    package var isAscending: Bool

    /// Creates an index element.
    package init(
      _ property: String, isExpression: Bool = false, kind: Kind = .binary,
      isAscending: Bool = true
    ) {
      self.property = property
      self.isExpression = isExpression
      self.kind = kind
      self.isAscending = isAscending
    }
  }

  /// The name of the index.
  package var name: String
  /// The elements in order.
  package var elements: [Element]
  /// The predicate format of the objects in a partial index; nil for all objects.
  package var partialPredicate: String?

  /// Creates an index description.
  package init(_ name: String, elements: [Element], partialPredicate: String? = nil) {
    self.name = name
    self.elements = elements
    self.partialPredicate = partialPredicate
  }
}

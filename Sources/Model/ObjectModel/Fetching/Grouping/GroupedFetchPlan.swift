/// A fetch of groups instead of objects: which objects, how they are grouped, what is computed from
/// each group, and which groups.
package struct GroupedFetchPlan: Sendable {
  /// A value of a group.
  package struct Column: Hashable, Sendable {
    /// What is computed from the objects of a group; nil for a value that they have in common.
    package let function: ExpressionDescription.Function?
    /// The path to a property, and the property; nil to count objects.
    package let source: Source?
    /// Decodes the value, and says of which kind it is.
    package let output: AttributeDescription

    /// Creates a column.
    package init(
      _ function: ExpressionDescription.Function?, of source: Source?, named name: String
    ) {
      self.function = function
      self.source = source
      output = Self.output(function, source?.attribute, named: name)
    }

    private static func output(
      _ function: ExpressionDescription.Function?, _ attribute: AttributeDescription?,
      named name: String
    ) -> AttributeDescription {
      switch (function, attribute) {
      case (.count, _), (_, nil): return AttributeDescription(name, .integer64)
      case (.average, _): return AttributeDescription(name, .double)
      case (.sum, let attribute?):
        switch attribute.type {
        case .decimal: return AttributeDescription(name, .decimal, encoding: .decimalText)
        case .double, .float: return AttributeDescription(name, .double)
        case .undefined: return AttributeDescription(name, .undefined)
        default: return AttributeDescription(name, .integer64)
        }
      case (_, var attribute?):
        attribute.name = name
        return attribute
      }
    }
  }

  /// A property of an object, or of one that it leads to.
  package struct Source: Hashable, Sendable {
    package let path: [String]
    /// The attribute; for a relationship one of text, the URIs of its objects.
    package let attribute: AttributeDescription
    /// Whether the property is a to-one relationship.
    package let isRelationship: Bool

    /// Creates a source of an attribute.
    package init(path: [String], attribute: AttributeDescription) {
      self.path = path
      self.attribute = attribute
      isRelationship = false
    }

    /// Creates a source of a to-one relationship.
    package init(relationshipPath path: [String]) {
      self.path = path
      attribute = AttributeDescription(path.last ?? "", .string)
      isRelationship = true
    }
  }

  /// A part of the order of groups.
  package struct Order: Sendable {
    package let column: Int
    package let descriptor: FetchSortDescriptor

    package init(column: Int, descriptor: FetchSortDescriptor) {
      self.column = column
      self.descriptor = descriptor
    }
  }

  /// Which objects; its limit and offset count groups, and its order is empty.
  package var fetch: FetchPlan
  /// The values of a group: first those that its objects have in common.
  package var columns: [Column]
  /// How many columns its objects have in common; 0 for one group of all objects.
  package var groupCount: Int
  /// The condition on groups; its key paths are indexes of columns.
  package var having: FetchPredicate?
  /// The order of the groups; those that are equal in it are ordered by their common values.
  package var order: [Order]
  /// The indexes of the columns of a result.
  package var selected: [Int]
  /// Whether equal results are returned once.
  package var isDistinct: Bool

  package init(
    fetch: FetchPlan, columns: [Column], groupCount: Int, having: FetchPredicate? = nil,
    order: [Order] = [], selected: [Int], isDistinct: Bool = false
  ) {
    self.fetch = fetch
    self.columns = columns
    self.groupCount = groupCount
    self.having = having
    self.order = order
    self.selected = selected
    self.isDistinct = isDistinct
  }
}

/// A store that computes the values of groups itself.
package protocol GroupFetching: PersistentStore {
  /// Fetches the groups that meet the plan's condition, in any order.
  ///
  /// - Parameter plan: What to fetch.
  /// - Returns: The values of each group, one for each column, stored as
  ///   `AttributeDescription.groupValue` returns them; nil if the store has a group in parts,
  ///   because it contains one object's key in several ways.
  /// - Throws: `StoreError`.
  func fetchGroups(_ plan: GroupedFetchPlan) throws(StoreError) -> [[Value]]?
}

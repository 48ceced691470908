/// What a person chose for the list of an entity; kept for each entity of a store between runs.
///
/// It holds names as text, because the model may have changed since: a name that the entity does
/// not have any more is left out when the preferences are used.
package nonisolated struct EntityPreferences: Hashable, Sendable, Codable {
  /// A column of a list.
  package struct Column: Hashable, Sendable, Codable {
    /// The name of the attribute or relationship.
    package var name: String
    /// The width in terminal columns; nil for the width that the values need.
    package var width: Int?

    /// Creates a column.
    package init(_ name: String, width: Int? = nil) {
      self.name = name
      self.width = width
    }
  }

  /// A sort key.
  package struct SortKey: Hashable, Sendable, Codable {
    /// The key path of the attribute.
    package var keyPath: String
    /// Whether the order is ascending.
    package var ascending: Bool

    /// Creates a sort key.
    package init(_ keyPath: String, ascending: Bool = true) {
      self.keyPath = keyPath
      self.ascending = ascending
    }
  }

  /// The columns in order; nil for the entity's default.
  package var columns: [Column]?
  /// The order of the list; nil for the entity's default.
  package var sort: [SortKey]?
  /// The sections as in `--section`: a key path with its transform, or `none`; nil for the default
  /// of the order.
  package var section: String?
  /// Whether the list is shown as a grid; nil for a list.
  package var isGrid: Bool?
  /// The date attribute that is the time at which a new object was made, without being asked for;
  /// nil for none.
  package var insertionDate: String?

  /// Creates preferences; by default without any choice.
  package init(
    columns: [Column]? = nil, sort: [SortKey]? = nil, section: String? = nil, isGrid: Bool? = nil,
    insertionDate: String? = nil
  ) {
    self.columns = columns
    self.sort = sort
    self.section = section
    self.isGrid = isGrid
    self.insertionDate = insertionDate
  }
}

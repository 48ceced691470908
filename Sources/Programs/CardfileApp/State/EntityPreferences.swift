/// What a person chose for the list of an entity; kept for each entity of a store between runs.
///
/// It holds names as text, because the model may have changed since: a name that the entity does
/// not have any more is left out when the preferences are used.
public nonisolated struct EntityPreferences: Hashable, Sendable, Codable {
  /// A column of a list.
  public struct Column: Hashable, Sendable, Codable {
    /// The name of the attribute or relationship.
    public var name: String
    /// The width in terminal columns; nil for the width that the values need.
    public var width: Int?

    /// Creates a column.
    public init(_ name: String, width: Int? = nil) {
      self.name = name
      self.width = width
    }
  }

  /// A sort key.
  public struct SortKey: Hashable, Sendable, Codable {
    /// The key path of the attribute.
    public var keyPath: String
    /// Whether the order is ascending.
    public var ascending: Bool

    /// Creates a sort key.
    public init(_ keyPath: String, ascending: Bool = true) {
      self.keyPath = keyPath
      self.ascending = ascending
    }
  }

  /// The columns in order; nil for the entity's default.
  public var columns: [Column]?
  /// The order of the list; nil for the entity's default.
  public var sort: [SortKey]?
  /// The sections as in `--section`: a key path with its transform, or `none`; nil for the default
  /// of the order.
  public var section: String?
  /// Whether the list is shown as a grid; nil for a list.
  public var isGrid: Bool?
  /// The date attribute that is the time at which a new object was made, without being asked for;
  /// nil for none.
  public var insertionDate: String?

  /// Creates preferences; by default without any choice.
  public init(
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

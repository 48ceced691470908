public import ObjectModel

/// What a person asked for when they started the application.
///
/// Names and texts are checked before; what does not fit all the same is told on the screen.
public nonisolated struct AppOptions: Hashable, Sendable {
  /// What a list's sections are made by.
  public enum SectionChoice: Hashable, Sendable {
    /// Nothing: one list.
    case none
    /// A key path and what is taken of its value.
    case key(SectionKey)
  }

  /// The entity to open; nil begins with the list of entities, or with the only one there is.
  public var entityName: String?
  /// The filter of the entity's list; nil for none.
  public var filter: TypedPredicate?
  /// The order; empty for the entity's own.
  public var sortDescriptors: [FetchSortDescriptor]
  /// What sections are made by; nil lets the order decide.
  public var section: SectionChoice?
  /// The names of the attributes and relationships to show, in order; nil lets the entity decide.
  public var columns: [String]?
  /// Whether changes are refused.
  public var isReadOnly: Bool
  /// Whether a deletion is saved at once, after a question.
  public var saveAfterEdit: Bool
  /// Whether clicks and the wheel are followed.
  public var mouse: Bool

  /// Makes options; what is left out is as usual.
  ///
  /// - Parameters:
  ///   - entityName: The entity to open.
  ///   - filter: The filter of the entity's list.
  ///   - sortDescriptors: The order.
  ///   - section: What sections are made by.
  ///   - columns: What to show.
  ///   - isReadOnly: Whether changes are refused.
  ///   - saveAfterEdit: Whether a deletion is saved at once.
  ///   - mouse: Whether clicks and the wheel are followed.
  public init(
    entityName: String? = nil, filter: TypedPredicate? = nil,
    sortDescriptors: [FetchSortDescriptor] = [], section: SectionChoice? = nil,
    columns: [String]? = nil, isReadOnly: Bool = false, saveAfterEdit: Bool = false,
    mouse: Bool = true
  ) {
    self.entityName = entityName
    self.filter = filter
    self.sortDescriptors = sortDescriptors
    self.section = section
    self.columns = columns
    self.isReadOnly = isReadOnly
    self.saveAfterEdit = saveAfterEdit
    self.mouse = mouse
  }
}

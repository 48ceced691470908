/// What a store is asked for: which objects, in which order, in which sections.
///
/// Objects that tie in every sort descriptor are in the order of their keys, so an order is always whole.
public struct FetchPlan: Hashable, Sendable {
  /// The entity.
  public var entityName: String
  /// Whether objects of entities that inherit from it are meant too.
  public var includesSubentities: Bool
  /// The condition; nil for all objects.
  public var predicate: FetchPredicate?
  /// The order; empty for the store's own (by key).
  public var sortDescriptors: [FetchSortDescriptor]
  /// What sections are made by; nil for none.
  ///
  /// The sort descriptors must keep sections together.
  public var sectionKey: SectionKey?
  /// The greatest number of objects; nil for no limit.
  public var limit: Int?
  /// How many objects to leave out at the start.
  public var offset: Int

  /// Asks for objects.
  ///
  /// - Parameters:
  ///   - entityName: The entity.
  ///   - includesSubentities: Whether objects of inheriting entities are meant too.
  ///   - predicate: The condition.
  ///   - sortDescriptors: The order.
  ///   - sectionKey: What sections are made by.
  ///   - limit: The greatest number of objects.
  ///   - offset: How many to leave out at the start.
  public init(
    entityName: String, includesSubentities: Bool = true, predicate: FetchPredicate? = nil,
    sortDescriptors: [FetchSortDescriptor] = [], sectionKey: SectionKey? = nil,
    limit: Int? = nil, offset: Int = 0
  ) {
    self.entityName = entityName
    self.includesSubentities = includesSubentities
    self.predicate = predicate
    self.sortDescriptors = sortDescriptors
    self.sectionKey = sectionKey
    self.limit = limit
    self.offset = offset
  }
}

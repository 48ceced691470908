/// A fetch request to a store: which objects, in which order, in which sections.
///
/// Objects that are equal in every sort descriptor are ordered by key, so the order is always
/// total.
public struct FetchPlan: Hashable, Sendable {
  /// The name of the entity to fetch.
  public var entityName: String
  /// Whether objects of sub-entities are included.
  public var includesSubentities: Bool
  /// The predicate; nil for all objects.
  public var predicate: ValidatedPredicate?
  /// The sort descriptors; empty for ascending keys.
  public var sortDescriptors: [FetchSortDescriptor]
  /// The key that objects are grouped into sections by; nil for no sections.
  ///
  /// The sort descriptors must put the objects of a section next to each other.
  public var sectionKey: SectionKey?
  /// The maximum number of objects, after ``offset``; nil for no limit.
  public var limit: Int?
  /// The number of objects to leave out before the first one.
  public var offset: Int
  /// Whether ``limit`` and ``offset`` count from the end; the order stays that of the plan.
  ///
  /// With a limit of 10 and an offset of 5 these are the ten objects before the last five.
  public var isFromEnd: Bool
  /// Where the objects begin: only those after this place are fetched and counted, or with
  /// ``isFromEnd`` only those before it; nil for all.
  ///
  /// Only a ``PlaceFetching`` store knows places.
  package var place: FetchPlace?
  /// Paths of relationships whose objects are wanted too; most stores read them when they are asked.
  package var prefetchedPaths: [String] = []

  /// Creates a request.
  public init(
    entityName: String, includesSubentities: Bool = true, predicate: ValidatedPredicate? = nil,
    sortDescriptors: [FetchSortDescriptor] = [], sectionKey: SectionKey? = nil,
    limit: Int? = nil, offset: Int = 0, isFromEnd: Bool = false
  ) {
    self.entityName = entityName
    self.includesSubentities = includesSubentities
    self.predicate = predicate
    self.sortDescriptors = sortDescriptors
    self.sectionKey = sectionKey
    self.limit = limit
    self.offset = offset
    self.isFromEnd = isFromEnd
  }
}

extension FetchPlan {
  /// The names of the entities whose objects it fetches.
  package func entityNames(in model: ManagedObjectModel) -> Set<String> {
    includesSubentities ? Set(model.entityNames(inheritingFrom: entityName)) : [entityName]
  }

  /// The part of ordered objects within offset and limit.
  ///
  /// - Parameter count: The number of all objects.
  /// - Returns: Their range.
  package func window(of count: Int) -> Range<Int> {
    let skipped = min(max(offset, 0), count)
    let length = min(max(limit ?? count, 0), count - skipped)
    let start = isFromEnd ? count - skipped - length : skipped
    return start..<start + length
  }
}

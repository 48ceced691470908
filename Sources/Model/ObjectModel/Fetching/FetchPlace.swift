/// A place between the objects of a fetch in their order, which stays where it is when they change.
///
/// The store makes it, by what its order compares, as it is stored.
package struct FetchPlace: Hashable, Sendable {
  /// What the first terms of the order are at the place: all terms for the place of one object, fewer
  /// for that of all objects that are equal in them, none for an end of the list.
  package var terms: [Value]
  /// Whether the place is after the objects that are equal in the terms, and not before them.
  package var isAfter: Bool

  package init(terms: [Value], isAfter: Bool) {
    (self.terms, self.isAfter) = (terms, isAfter)
  }

  /// The place before all objects.
  package static let start = FetchPlace(terms: [], isAfter: false)
  /// The place after all objects.
  package static let end = FetchPlace(terms: [], isAfter: true)
}

/// A store that finds the objects beside a place of an order by looking them up, so that a list need
/// not hold all of them.
///
/// It fetches and counts plans with a ``FetchPlan/place``.
package protocol PlaceFetching: PersistentStore {
  /// What is known of a list without reading it.
  ///
  /// - Parameter plan: The list; its limit, offset and place have no effect.
  /// - Returns: What is known; nil if objects cannot be fetched beside a place of its order.
  /// - Throws: ``StoreError``.
  func survey(_ plan: FetchPlan) throws(StoreError) -> ListSurvey?

  /// Finds the place of an object in an order.
  ///
  /// - Parameters:
  ///   - id: The object; the predicate of the plan need not hold for it.
  ///   - plan: The order.
  ///   - isAfter: Whether the place is after the object, and not before it.
  ///   - isOfSection: Whether it is the place of all objects that are equal in the first sort
  ///     descriptor.
  /// - Returns: The place; nil if the object does not exist.
  /// - Throws: ``StoreError``.
  func place(of id: ObjectID, in plan: FetchPlan, isAfter: Bool, isOfSection: Bool)
    throws(StoreError) -> FetchPlace?

  /// Whether the store is a server's, which is not asked to sort a long list without a word.
  var isShared: Bool { get }

  /// Finds the place before all objects whose value of the first sort descriptor is not less than a
  /// text.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - plan: The order, whose first sort descriptor has a collation of the store.
  /// - Returns: The place; nil if the store does not find places by texts.
  /// - Throws: ``StoreError``.
  func place(at text: String, in plan: FetchPlan) throws(StoreError) -> FetchPlace?

  /// The comparisons by which the store itself sorts the texts of an attribute.
  ///
  /// - Parameters:
  ///   - attributeName: An attribute of texts.
  ///   - entityName: Its entity.
  /// - Returns: The best one first: those of indexes, by bytes, that of the whole store; nil if it
  ///   sorts by all comparisons, or the attribute has no text.
  func comparisons(of attributeName: String, in entityName: String)
    -> [FetchSortDescriptor.Comparison]?

  /// Finds an object about whose distance from the start of a list something is known: from the
  /// distribution of the first sort key.
  ///
  /// - Parameters:
  ///   - part: The part of the list that should be before it, from 0 to 1.
  ///   - plan: The list.
  /// - Returns: The object; nil if nothing is known.
  /// - Throws: ``StoreError``.
  func objectID(at part: Double, of plan: FetchPlan) throws(StoreError) -> ObjectID?

  /// Finds the first objects of the sections, where those are the objects that are equal in the first
  /// sort descriptor: all at once.
  ///
  /// - Parameters:
  ///   - plan: The list; its limit, offset and place have no effect.
  ///   - limit: The greatest number.
  ///   - control: Cancels, from another thread.
  /// - Returns: The objects, each a row of its section; nil if they are not found faster so than one by
  ///   one.
  /// - Throws: ``StoreError``.
  func sectionStarts(of plan: FetchPlan, limit: Int, control: FetchControl?) throws(StoreError)
    -> FetchedIDs?
}

extension PlaceFetching {
  /// See `PlaceFetching.isShared`: it is one's own.
  package var isShared: Bool { false }

  /// See `PlaceFetching.place(at:in:)`.
  package func place(at text: String, in plan: FetchPlan) throws(StoreError) -> FetchPlace? { nil }

  /// See `PlaceFetching.comparisons(of:in:)`: in every order.
  package func comparisons(of attributeName: String, in entityName: String)
    -> [FetchSortDescriptor.Comparison]?
  { nil }

  /// See `PlaceFetching.sectionStarts(of:limit:control:)`: each is looked up.
  package func sectionStarts(of plan: FetchPlan, limit: Int, control: FetchControl?)
    throws(StoreError) -> FetchedIDs?
  { nil }
}

/// What a store knows of a list without reading it.
package struct ListSurvey: Hashable, Sendable {
  /// About how many objects it has; nil if that is not known.
  package var estimatedCount: Int?
  /// Whether the list is so long, and its order so quickly looked up, that it should hold only the
  /// rows that are looked at.
  package var isForWindows: Bool

  /// The least number of rows for which a list holds only those that are looked at: of fewer it takes
  /// about as long to read all keys as to look at a screen.
  package static let leastWindowedCount = 1_000_000

  package init(estimatedCount: Int?, isForWindows: Bool) {
    (self.estimatedCount, self.isForWindows) = (estimatedCount, isForWindows)
  }
}

extension PersistentStore {
  /// The store that fetches beside places: this one, or the one that it wraps; nil for none.
  package var placeFetching: (any PlaceFetching)? {
    (self as? any PlaceFetching) ?? (self as? any ForwardingStore)?.base.placeFetching
  }
}

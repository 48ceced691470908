package import ManagedObjects
package import ObjectModel

/// What a list shows: a fetch request, a filter in addition to it, and sections.
///
/// A ``FetchedResultsController`` holds two of them: the one requested last and the one displayed.
package struct ListRequest: Hashable, Sendable {
  /// The entity, predicate, order and limit.
  package var fetchRequest: FetchRequest<ManagedObject>
  /// What sections are made by; nil for one flat section.
  package var sectionKey: SectionKey?
  /// A filter that was typed, in addition to the predicate of the fetch request; nil for none.
  package var filter: TypedPredicate?
  /// The attribute that a fetch request without sort descriptors is sorted by; nil for none.
  package var displayAttributeName: String?
  /// Whether objects are sorted by the section key first when the sort descriptors do not begin
  /// with it.
  ///
  /// If false, an order that does not keep sections together is an error.
  package var sortsBySectionKey: Bool
  /// Which rows are held.
  package var extent = ListExtent.automatic

  /// Makes a request.
  package init(
    fetchRequest: FetchRequest<ManagedObject>, sectionKey: SectionKey? = nil,
    displayAttributeName: String? = nil, sortsBySectionKey: Bool = false
  ) {
    self.fetchRequest = fetchRequest
    self.sectionKey = sectionKey
    self.displayAttributeName = displayAttributeName
    self.sortsBySectionKey = sortsBySectionKey
  }

  /// The section key as text, as "surname" or "surname:initial"; nil for one flat section.
  ///
  /// A text that ends in no known transform is a key path as a whole.
  package var sectionNameKeyPath: String? {
    get { sectionKey?.description }
    set { sectionKey = newValue.map { SectionKey($0) ?? SectionKey($0, .value) } }
  }

  /// The complete order: the request's or that of the display attribute, by the section key first
  /// if ``sortsBySectionKey``.
  package var sortDescriptors: [FetchSortDescriptor] {
    var descriptors = fetchRequest.sortDescriptors
    if descriptors.isEmpty, let displayAttributeName {
      descriptors = [FetchSortDescriptor(KeyPathText.text([displayAttributeName]))]
    }
    guard sortsBySectionKey, let sectionKey else { return descriptors }
    return sectionKey.agreeing(descriptors)
  }

  /// Whether it is met by the same objects as another request.
  package func hasCondition(of other: ListRequest) -> Bool {
    fetchRequest.entityName == other.fetchRequest.entityName
      && fetchRequest.predicate == other.fetchRequest.predicate
      && filter?.predicate == other.filter?.predicate
  }

  /// Makes the plan of the request for a store: predicate and filter joined, the order complete.
  ///
  /// - Throws: `FetchPredicateError` if the predicate does not fit the entity.
  package func plan(in model: ManagedObjectModel) throws(FetchPredicateError) -> FetchPlan {
    var request = fetchRequest
    let predicates = [request.predicate, filter?.predicate.predicate].compactMap(\.self)
    request.predicate = predicates.isEmpty ? nil : .all(predicates)
    request.sortDescriptors = sortDescriptors
    var plan = try request.plan(in: model)
    plan.sectionKey = sectionKey
    return plan
  }
}

extension SectionKey {
  /// Sort descriptors that keep the sections of this key together.
  ///
  /// - Parameter descriptors: The preferred order.
  /// - Returns: The same if its first key path is the section key's, otherwise with a sort by the
  ///   section key before it. Sections by initial letter use a localized comparison, which sorts É
  ///   with E.
  package func agreeing(_ descriptors: [FetchSortDescriptor]) -> [FetchSortDescriptor] {
    var descriptors = descriptors
    if descriptors.first?.keyPath != keyPath {
      descriptors.insert(FetchSortDescriptor(keyPath), at: 0)
    }
    if transform == .initial {
      switch descriptors[0].comparison {
      case .binary, .caseInsensitive: descriptors[0].comparison = .localized
      case .localized, .collation: break
      }
    }
    return descriptors
  }
}

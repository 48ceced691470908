public import ManagedObjects
public import ObjectModel

/// What a list shows: a fetch request, a filter in addition to it, and sections.
///
/// A ``FetchedResultsController`` holds two of them: the one requested last and the one displayed.
public struct ListRequest: Hashable, Sendable {
  /// A condition that a person typed, in addition to the predicate of the fetch request.
  public struct Filter: Hashable, Sendable {
    /// The text as typed.
    public var text: String
    /// The condition that the text stands for.
    public var predicate: FetchPredicate

    /// Makes a filter.
    ///
    /// - Parameters:
    ///   - text: The text as typed.
    ///   - predicate: The condition that the text stands for.
    public init(text: String, predicate: FetchPredicate) {
      self.text = text
      self.predicate = predicate
    }
  }

  /// The entity, predicate, order and limit.
  public var fetchRequest: FetchRequest<ManagedObject>
  /// What sections are made by; nil for one flat section.
  public var sectionKey: SectionKey?
  /// The condition that was typed; nil for none.
  public var filter: Filter?
  /// The attribute that a fetch request without sort descriptors is sorted by; nil for none.
  public var displayAttributeName: String?
  /// Whether objects are sorted by the section key first when the sort descriptors do not begin
  /// with it.
  ///
  /// If false, an order that does not keep sections together is an error.
  public var sortsBySectionKey: Bool

  /// Makes a request.
  ///
  /// - Parameters:
  ///   - fetchRequest: The entity, predicate, order and limit.
  ///   - sectionKey: What sections are made by; nil for one flat section.
  ///   - displayAttributeName: The attribute that a fetch request without sort descriptors is
  ///     sorted by; nil for none.
  ///   - sortsBySectionKey: Whether objects are sorted by the section key first when the sort
  ///     descriptors do not begin with it.
  public init(
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
  public var sectionNameKeyPath: String? {
    get { sectionKey?.description }
    set { sectionKey = newValue.map { SectionKey($0) ?? SectionKey($0, .value) } }
  }

  /// The request as a store takes it: predicate and filter joined, the order completed.
  public var plan: FetchPlan {
    var plan = fetchRequest.plan
    let conditions = [plan.predicate, filter?.predicate].compactMap(\.self)
    plan.predicate = conditions.isEmpty ? nil : .all(conditions)
    if plan.sortDescriptors.isEmpty, let displayAttributeName {
      plan.sortDescriptors = [FetchSortDescriptor(KeyPathText.text([displayAttributeName]))]
    }
    plan.sectionKey = sectionKey
    if sortsBySectionKey, let sectionKey {
      plan.sortDescriptors = sectionKey.agreeing(plan.sortDescriptors)
    }
    return plan
  }
}

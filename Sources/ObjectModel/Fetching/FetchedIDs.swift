/// The result of a ``FetchPlan``: ordered object IDs and their sections.
public struct FetchedIDs: Hashable, Sendable {
  /// The object IDs in order.
  public var ids: ObjectIDList
  /// The sections in order; their counts add up to the number of IDs.
  ///
  /// Empty if the request has no section key.
  public var sections: [SectionRun]

  /// Creates a result.
  public init(ids: ObjectIDList, sections: [SectionRun] = []) {
    self.ids = ids
    self.sections = sections
  }
}

/// A section of a fetch result: a name and a number of consecutive objects.
public struct SectionRun: Hashable, Sendable {
  /// The name of the section: the text of its value; empty for NULL.
  public var name: String
  /// The number of objects in the section.
  public var count: Int

  /// Creates a section.
  public init(name: String, count: Int) {
    self.name = name
    self.count = count
  }
}

/// A store's answer to a ``FetchPlan``: ordered object IDs and the sections they fall into.
public struct FetchedIDs: Hashable, Sendable {
  /// The IDs in order.
  public var ids: ObjectIDList
  /// The sections in order; their counts add up to the number of IDs.
  ///
  /// Empty when no section key was asked for.
  public var sections: [SectionRun]

  /// Makes an answer.
  ///
  /// - Parameters:
  ///   - ids: The IDs in order.
  ///   - sections: The sections in order.
  public init(ids: ObjectIDList, sections: [SectionRun] = []) {
    self.ids = ids
    self.sections = sections
  }
}

/// A run of objects that share a section.
public struct SectionRun: Hashable, Sendable {
  /// The section's name: the description of its value, "" for nil.
  public var name: String
  /// How many objects it has.
  public var count: Int

  /// Makes a run.
  ///
  /// - Parameters:
  ///   - name: The section's name.
  ///   - count: How many objects it has.
  public init(name: String, count: Int) {
    self.name = name
    self.count = count
  }
}

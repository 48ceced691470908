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

extension FetchedIDs {
  /// These results, and others that follow them in the order.
  package func joined(_ other: FetchedIDs) -> FetchedIDs {
    guard !ids.isEmpty else { return other }
    guard !other.ids.isEmpty else { return self }
    var joined = self
    joined.ids.append(contentsOf: other.ids)
    for (index, section) in other.sections.enumerated() {
      if index == 0, let last = sections.last, last.name == section.name {
        joined.sections[joined.sections.count - 1].count += section.count
      } else {
        joined.sections.append(section)
      }
    }
    return joined
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

/// Names the sections of ordered rows, each name once: for a store that divides its rows itself.
public struct SectionNames: Sendable {
  /// What follows a repeated name, once or more.
  package static let mark: Unicode.Scalar = "\u{200B}"

  private var names: Set<String> = []
  private var last: String?

  /// The name of the value of a section, without the marks of a repeated name.
  package static func unmarked(_ name: String) -> String {
    var name = name
    while name.unicodeScalars.last == mark { name.unicodeScalars.removeLast() }
    return name
  }

  /// Makes a list without names.
  public init() {}

  /// Adds the name of the next row's section.
  ///
  /// - Parameter name: The name of its value.
  /// - Returns: The name of a new section; nil if the row belongs to the last section. An earlier
  ///   name is repeated with an invisible space at its end.
  public mutating func next(_ name: String) -> (name: String, isRepeated: Bool)? {
    guard last != name else { return nil }
    last = name
    var own = name
    while !names.insert(own).inserted { own.unicodeScalars.append(Self.mark) }
    return (own, own != name)
  }
}

/// How much work an archive may ask for.
///
/// Parts of an archive can be shared any number of times, and shared parts can share others, so that a small file could
/// describe more than any memory holds. Each step of a walk is counted.
struct DecodingBudget {
  /// Looks at objects, and characters written; the largest model seen takes a fortieth.
  private var stepsLeft = 2_000_000
  /// Properties of all entities together, inherited ones included.
  private var propertiesLeft = 100_000

  /// Counts steps.
  mutating func spend(_ steps: Int) throws(ModelFileError) {
    stepsLeft -= steps
    guard stepsLeft >= 0 else {
      throw ModelFileError(.tooLarge, detail: "it describes more than any model does")
    }
  }

  /// Counts properties of an entity.
  mutating func spend(properties: Int) throws(ModelFileError) {
    propertiesLeft -= properties
    guard propertiesLeft >= 0 else {
      throw ModelFileError(.tooLarge, detail: "its entities have more than 100,000 properties")
    }
  }

  /// The members of an array, counted before they are looked at; empty when it is none.
  mutating func members(of array: ArchivedObject?) throws(ModelFileError) -> [ArchivedObject] {
    guard let array else { return [] }
    try spend(array.memberCount)
    return array.array ?? []
  }

  /// The values of a dictionary by text, sorted by it, counted before they are looked at; empty when it is none.
  mutating func values(
    of dictionary: ArchivedObject?
  ) throws(ModelFileError) -> [(key: String, value: ArchivedObject)] {
    guard let dictionary else { return [] }
    try spend(dictionary.memberCount)
    let values = (dictionary.members ?? []).compactMap { key, value in
      key.string.map { (key: $0, value: value) }
    }
    return values.sorted { $0.key < $1.key }
  }

  /// The keys of a dictionary, counted before they are looked at; empty when it is none.
  mutating func keys(of dictionary: ArchivedObject?) throws(ModelFileError) -> Set<String> {
    guard let dictionary else { return [] }
    try spend(dictionary.memberCount)
    return Set((dictionary.members ?? []).compactMap(\.key.string))
  }
}

/// The bound on the work of decoding one model.
///
/// Objects of an archive can be shared any number of times, and shared objects can share others, so
/// a small file could expand exponentially. Each step of a walk is therefore counted.
struct DecodingBudget {
  /// Steps left: objects read and bytes of text produced; the largest model seen needs a fortieth.
  private var stepsLeft = 2_000_000
  /// Properties left, over all entities, inherited ones included.
  private var propertiesLeft = 100_000

  /// Counts steps; throws when the budget is exceeded.
  mutating func spend(_ steps: Int) throws(ModelFileError) {
    stepsLeft -= steps
    guard stepsLeft >= 0 else {
      throw ModelFileError(.tooLarge, detail: "decoding it takes more steps than any real model")
    }
  }

  /// Counts properties of an entity; throws when there are too many.
  mutating func spend(properties: Int) throws(ModelFileError) {
    propertiesLeft -= properties
    guard propertiesLeft >= 0 else {
      throw ModelFileError(.tooLarge, detail: "its entities have more than 100,000 properties")
    }
  }

  /// The members of an array, counted before they are read; empty if it is not an array.
  mutating func members(of array: ArchivedObject?) throws(ModelFileError) -> [ArchivedObject] {
    guard let array else { return [] }
    try spend(array.memberCount)
    return array.array ?? []
  }

  /// The members of a dictionary with string keys, sorted by key, counted before they are read;
  /// empty if it is not a dictionary.
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

  /// The string keys of a dictionary, counted before they are read; empty if it is not a
  /// dictionary.
  mutating func keys(of dictionary: ArchivedObject?) throws(ModelFileError) -> Set<String> {
    guard let dictionary else { return [] }
    try spend(dictionary.memberCount)
    return Set((dictionary.members ?? []).compactMap(\.key.string))
  }
}

/// Contents for some places of a row, in the order in which they were given.
///
/// A change touches few places: looking along them costs less than hashing each.
struct PlaceMap<Content: Sendable>: Sendable {
  private var entries: [(place: Int, content: Content)] = []

  /// The places, each once.
  var places: [Int] { entries.map(\.place) }

  subscript(place: Int) -> Content? {
    get { entries.first { $0.place == place }?.content }
    set {
      let index = entries.firstIndex { $0.place == place }
      switch (index, newValue) {
      case (let index?, let content?): entries[index].content = content
      case (let index?, nil): entries.remove(at: index)
      case (nil, let content?): entries.append((place, content))
      case (nil, nil): break
      }
    }
  }

  /// Adds a place that is not there.
  mutating func append(_ content: Content, at place: Int) { entries.append((place, content)) }
}

extension PlaceMap: Sequence {
  /// The number of places.
  var count: Int { entries.count }
  var isEmpty: Bool { entries.isEmpty }
  var first: (place: Int, content: Content)? { entries.first }

  func makeIterator() -> IndexingIterator<[(place: Int, content: Content)]> {
    entries.makeIterator()
  }
}

/// New values for some columns of a row, by the column's index, in insertion order.
///
/// A change has few columns: a linear search costs less than hashing.
struct IndexMap<Content: Sendable>: Sendable {
  private var entries: [(index: Int, content: Content)] = []

  /// The indexes, each once.
  var indexes: [Int] { entries.map(\.index) }

  subscript(index: Int) -> Content? {
    get { entries.first { $0.index == index }?.content }
    set {
      let position = entries.firstIndex { $0.index == index }
      switch (position, newValue) {
      case (let position?, let content?): entries[position].content = content
      case (let position?, nil): entries.remove(at: position)
      case (nil, let content?): entries.append((index, content))
      case (nil, nil): break
      }
    }
  }

  /// Adds the value of an index that the map does not contain.
  mutating func append(_ content: Content, at index: Int) { entries.append((index, content)) }

  /// The contents of some of the indexes.
  func filter(_ isIncluded: (Int) -> Bool) -> Self {
    var map = self
    map.entries.removeAll { !isIncluded($0.index) }
    return map
  }
}

extension IndexMap: Sequence {
  /// The number of indexes.
  var count: Int { entries.count }
  var isEmpty: Bool { entries.isEmpty }
  var first: (index: Int, content: Content)? { entries.first }

  func makeIterator() -> IndexingIterator<[(index: Int, content: Content)]> {
    entries.makeIterator()
  }
}

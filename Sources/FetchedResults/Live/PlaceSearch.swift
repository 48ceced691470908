import ManagedObjects
import ObjectModel

/// Searches the rows that stand still for the places of others, reading few rows, many at once.
struct PlaceSearch {
  let list: ResultsSections
  let remaining: RemainingPlaces
  let query: LiveQuery
  let context: ManagedObjectContext
  private var keys: [Int: RowOrder.Key] = [:]

  init(
    list: ResultsSections, remaining: RemainingPlaces, query: LiveQuery,
    context: ManagedObjectContext
  ) {
    self.list = list
    self.remaining = remaining
    self.query = query
    self.context = context
  }

  /// Finds before which of the remaining rows each object belongs.
  ///
  /// All objects are searched for in step, so that one query reads the rows of one step.
  ///
  /// - Parameters:
  ///   - wanted: What the objects are ordered by.
  ///   - guesses: Where each object stood before; nil where that is not known.
  /// - Returns: A gap for each object, from 0 to the number of remaining rows.
  /// - Throws: What reading rows throws.
  mutating func gaps(for wanted: [RowOrder.Key], near guesses: [Int?]) throws -> [Int] {
    var low = wanted.map { _ in 0 }
    var high = wanted.map { _ in remaining.count }
    // Most objects have not moved: their neighbours tell.
    try read(guesses.compactMap { $0 }.flatMap { [$0 - 1, $0] })
    for (object, guess) in guesses.enumerated() {
      guard let guess else { continue }
      if guess > 0 {
        if stands(guess - 1, before: wanted[object]) {
          low[object] = guess
        } else {
          high[object] = guess - 1
        }
      }
      if guess < remaining.count, low[object] <= guess, guess < high[object] {
        if stands(guess, before: wanted[object]) {
          low[object] = guess + 1
        } else {
          high[object] = guess
        }
      }
    }
    var open = wanted.indices.filter { low[$0] < high[$0] }
    while !open.isEmpty {
      try read(open.map { (low[$0] + high[$0]) / 2 })
      for object in open {
        let middle = (low[object] + high[object]) / 2
        if stands(middle, before: wanted[object]) {
          low[object] = middle + 1
        } else {
          high[object] = middle
        }
      }
      open = open.filter { low[$0] < high[$0] }
    }
    return low
  }

  private func stands(_ index: Int, before wanted: RowOrder.Key) -> Bool {
    keys[index].map { query.order.areInOrder($0, wanted) } ?? false
  }

  private mutating func read(_ indexes: [Int]) throws {
    let new = Set(indexes).filter { $0 >= 0 && $0 < remaining.count && keys[$0] == nil }
    guard !new.isEmpty else { return }
    let ids = new.map { list.ids[remaining.place(at: $0)] }
    try context.prefetch(ids, along: query.dependencies.toOnePaths)
    for (index, id) in zip(new, ids) {
      keys[index] = query.order.key(of: id, in: context)
    }
  }
}

extension ManagedObjectContext {
  /// Reads rows, and then those that paths lead to, one query a step.
  func prefetch(_ ids: some Collection<ObjectID>, along paths: [[String]]) throws {
    try prefetch(ids)
    for path in paths {
      var ends = ids.map { object(with: $0) }
      for name in path.dropLast() { ends = ends.compactMap { $0.object(forKey: name) } }
      guard let name = path.last else { continue }
      try prefetch(Set(ends.flatMap { $0.objectIDs(forKey: name) }))
    }
  }
}

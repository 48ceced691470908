import ObjectModel

/// Finds the positions of objects among ordered rows, in one binary search for all of them: objects
/// that belong between the same two rows are compared with the same rows from then on.
struct RowSearch {
  let ids: ObjectIDList
  let remaining: RemainingRows
  let order: RowOrder
  let context: ManagedObjectContext

  /// Objects that belong among some of the remaining rows.
  private struct Step {
    /// The objects, by their positions in their order.
    let objects: Range<Int>
    let rows: Range<Int>

    var middle: Int { (rows.lowerBound + rows.upperBound) / 2 }
  }

  /// Finds before which of the remaining rows each object belongs.
  ///
  /// - Parameters:
  ///   - keys: What the objects are sorted by.
  ///   - sorted: Their indexes, in their order.
  ///   - guesses: Before which of the remaining rows each of them was before, in their order; nil
  ///     where that is not known. None if it is known of none. Most objects have not moved:
  ///     comparing them with their neighbours is enough.
  /// - Returns: Before which of the remaining rows each of them belongs, in their order.
  /// - Throws: What reading rows throws.
  /// - Complexity: Two rows are read for each guess, then at most one row for each object at each
  ///   step of the search, together.
  func gaps(of keys: SortKeys, sorted: [Int], near guesses: [Int?]) throws -> [Int] {
    var gaps = [Int](repeating: 0, count: sorted.count)
    var open = Array(sorted.indices)
    if !guesses.isEmpty {
      for (position, gap) in try confirmed(guesses, of: keys, sorted: sorted).enumerated() {
        gaps[position] = gap ?? Self.unknown
      }
      open.removeAll { gaps[$0] != Self.unknown }
    }
    var steps: [Step] = []
    func search(_ objects: Range<Int>, _ rows: Range<Int>) {
      if rows.isEmpty {
        for position in objects { gaps[open[position]] = rows.lowerBound }
      } else if !objects.isEmpty {
        steps.append(Step(objects: objects, rows: rows))
      }
    }
    search(open.indices, 0..<remaining.count)
    while !steps.isEmpty {
      let last = steps
      steps = []
      for batch in last.chunks(of: ManagedObjectContext.batchSize) {
        let rows = try readKeys(ofRows: batch.map(\.middle))
        for (row, step) in batch.enumerated() {
          let end = step.objects.partitioningIndex {
            rows.precedes(row, sorted[open[$0]], in: keys)
          }
          search(step.objects.lowerBound..<end, step.rows.lowerBound..<step.middle)
          search(end..<step.objects.upperBound, step.middle + 1..<step.rows.upperBound)
        }
      }
    }
    return gaps
  }

  private static let unknown = -1

  /// The guesses that are right; nil for other objects.
  private func confirmed(_ guesses: [Int?], of keys: SortKeys, sorted: [Int]) throws -> [Int?] {
    let neighbours = Set(guesses.lazy.compactMap(\.self).flatMap { [$0 - 1, $0] })
      .filter { $0 >= 0 && $0 < remaining.count }.sorted()
    let positions = Dictionary(firstOf: neighbours.enumerated().map { ($1, $0) })
    let rows = try readKeys(ofRows: neighbours)
    return zip(sorted, guesses).map { object, guess in
      guard let guess else { return nil }
      if let last = positions[guess - 1], !rows.precedes(last, object, in: keys) { return nil }
      if let next = positions[guess], rows.precedes(next, object, in: keys) { return nil }
      return guess
    }
  }

  private func readKeys(ofRows indexes: [Int]) throws -> SortKeys {
    var keys = SortKeys(order)
    for batch in indexes.chunks(of: ManagedObjectContext.batchSize) {
      let ids = batch.map { self.ids[remaining.oldIndex(at: $0)] }
      if !order.isByIDOnly { try order.prefetch(ids, in: context) }
      for id in ids { keys.append(id, in: context) }
    }
    return keys
  }
}

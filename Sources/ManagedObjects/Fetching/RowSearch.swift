import ObjectModel

/// Finds the positions of objects among ordered rows, with one query for each step of the binary
/// searches, whatever the number of objects.
struct RowSearch {
  let ids: ObjectIDList
  let remaining: RemainingRows
  let order: RowOrder
  let context: ManagedObjectContext
  /// The keys that were read, by index among the remaining rows.
  private(set) var keys: [Int: RowOrder.Key] = [:]

  /// Finds before which of the remaining rows each object belongs, near the position that it had
  /// before, where that is known.
  ///
  /// - Throws: What reading rows throws.
  mutating func gaps(for wanted: [RowOrder.Key], near guesses: [Int?]) throws -> [Int] {
    var open = wanted.map { _ in 0..<remaining.count }
    // Most objects have not moved: comparing them with their neighbours is enough.
    try read(guesses.compactMap(\.self).flatMap { [$0 - 1, $0] })
    for (object, guess) in guesses.enumerated() {
      guard let guess else { continue }
      for index in [guess - 1, guess] where open[object].contains(index) {
        narrow(&open[object], at: index, for: wanted[object])
      }
    }
    while true {
      let searching = open.indices.filter { !open[$0].isEmpty }
      guard !searching.isEmpty else { return open.map(\.lowerBound) }
      try read(searching.map { middle(open[$0]) })
      for object in searching {
        narrow(&open[object], at: middle(open[object]), for: wanted[object])
      }
    }
  }

  private func middle(_ range: Range<Int>) -> Int { (range.lowerBound + range.upperBound) / 2 }

  /// Leaves the part of a range before or after a row, whose key was read.
  private func narrow(_ range: inout Range<Int>, at index: Int, for wanted: RowOrder.Key) {
    let isBefore = keys[index].map { order.areInOrder($0, wanted) } ?? false
    range = isBefore ? index + 1..<range.upperBound : range.lowerBound..<index
  }

  private mutating func read(_ indexes: [Int]) throws {
    let new = Set(indexes).filter { $0 >= 0 && $0 < remaining.count && keys[$0] == nil }
    guard !new.isEmpty else { return }
    let ids = new.map { self.ids[remaining.oldIndex(at: $0)] }
    if !order.isByIDOnly { try order.prefetch(ids, in: context) }
    for (index, id) in zip(new, ids) { keys[index] = order.key(of: id, in: context) }
  }
}

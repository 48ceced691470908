import ObjectModel

/// The lengths of runs, and the positions at which they start.
struct RunningCounts: Hashable, Sendable {
  let counts: [Int]
  /// The sums of the runs before each run; last the sum of all.
  private let starts: [Int]

  /// - Complexity: O(*n*).
  init(_ counts: [Int]) {
    self.counts = counts
    starts = counts.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1) }
  }

  var total: Int { starts[counts.count] }

  /// The position at which a run starts: the sum of the runs before it.
  func start(of index: Int) -> Int { starts[index] }

  /// The run that contains a position less than the total, and the offset within it.
  ///
  /// - Complexity: O(log *n*).
  func run(holding position: Int) -> (index: Int, offset: Int) {
    let index = starts.partitioningIndex { $0 > position } - 1
    return (index, position - starts[index])
  }
}

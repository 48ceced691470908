/// The lengths of runs and their prefix sums (a Fenwick tree).
struct RunningCounts: Hashable, Sendable {
  private(set) var counts: [Int]
  private(set) var total: Int
  /// `tree[i - 1]` is the sum of the `i & -i` counts up to the `i`th.
  private var tree: [Int]

  /// - Complexity: O(*n*).
  init(_ counts: [Int]) {
    self.counts = counts
    total = counts.reduce(0, +)
    tree = counts
    for index in 1..<max(counts.count, 1) {
      let parent = index + (index & -index)
      if parent <= tree.count { tree[parent - 1] += tree[index - 1] }
    }
  }

  /// Changes the length of a run.
  ///
  /// - Complexity: O(log *n*).
  mutating func add(_ delta: Int, at index: Int) {
    counts[index] += delta
    total += delta
    var node = index + 1
    while node <= tree.count {
      tree[node - 1] += delta
      node += node & -node
    }
  }

  /// The position at which a run starts: the sum of the runs before it.
  ///
  /// - Complexity: O(log *n*).
  func start(of index: Int) -> Int {
    var sum = 0
    var node = index
    while node > 0 {
      sum += tree[node - 1]
      node -= node & -node
    }
    return sum
  }

  /// The run that contains a position less than the total, and the offset within it.
  ///
  /// - Complexity: O(log *n*).
  func run(holding position: Int) -> (index: Int, offset: Int) {
    var index = 0
    var rest = position
    var step = counts.isEmpty ? 0 : 1 << (Int.bitWidth - 1 - counts.count.leadingZeroBitCount)
    while step > 0 {
      if index + step <= counts.count, tree[index + step - 1] <= rest {
        index += step
        rest -= tree[index - 1]
      }
      step >>= 1
    }
    return (index, rest)
  }
}

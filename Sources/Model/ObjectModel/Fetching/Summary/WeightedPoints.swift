/// Points on a line, each with a weight: the numbers or times of a column, and how many rows have
/// them.
struct WeightedPoints {
  private(set) var points: [(at: Double, weight: Double)] = []
  /// The sum of the weights.
  private(set) var weight = 0.0

  mutating func add(_ point: Double, weight: Double) {
    points.append((point, weight))
    self.weight += weight
  }

  /// The points below which a share of the weight is; empty if there are no points.
  ///
  /// Among *n* rows the share *q* is at (*n* − 1) *q*, counted from 0; between two rows it is the
  /// point between them.
  ///
  /// - Parameter shares: The shares, 0 to 1, ascending.
  /// - Returns: The points.
  /// - Complexity: O(*n*): only those near a point are sorted.
  func quantiles(_ shares: [Double]) -> [Double] {
    guard !points.isEmpty else { return [] }
    return shares.map { share in
      let position = (weight - 1) * share
      let (low, high) = (position.rounded(.down), position.rounded(.up))
      let first = point(atRank: low)
      guard high > low else { return first }
      let second = point(atRank: high)
      return first + (second - first) * (position - low)
    }
  }

  /// The fewest points that are divided further before they are sorted.
  private static let fewPoints = 4_096
  private static let partCount = 1_024

  /// The point of the row with a rank, counted from 0.
  private func point(atRank rank: Double) -> Double {
    var (candidates, before) = (points, 0.0)
    while candidates.count > Self.fewPoints {
      var (least, greatest) = (Double.infinity, -Double.infinity)
      for (point, _) in candidates {
        (least, greatest) = (min(least, point), max(greatest, point))
      }
      let scale = Double(Self.partCount) / (greatest - least)
      guard greatest > least, scale.isFinite, scale > 0 else { break }
      func part(_ point: Double) -> Int { min(Int((point - least) * scale), Self.partCount - 1) }
      var weights = [Double](repeating: 0, count: Self.partCount)
      for (point, weight) in candidates { weights[part(point)] += weight }
      var chosen = 0
      while chosen < Self.partCount - 1, before + weights[chosen] <= rank {
        before += weights[chosen]
        chosen += 1
      }
      let narrowed = candidates.filter { part($0.at) == chosen }
      if narrowed.count == candidates.count { break }
      candidates = narrowed
    }
    for (point, weight) in candidates.sorted(by: { $0.at < $1.at }) {
      before += weight
      if before > rank { return point }
    }
    return candidates.max { $0.at < $1.at }?.at ?? .nan
  }
}

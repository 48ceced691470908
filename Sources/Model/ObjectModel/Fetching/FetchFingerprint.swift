/// What the rows of a fetch were like: for each run of neighbouring keys, the sum of the digests of
/// its rows.
///
/// A later fetch compares it with the fingerprint of that time, and reads the runs that differ. It
/// takes half a byte for each key. The digest of a changed row may by chance be the same once in
/// 2⁶⁴ times, as the version of a row may.
package struct FetchFingerprint: Hashable, Sendable {
  private let firstRun: Int64
  private var sums: [UInt64]
  /// How many rows were added.
  package private(set) var rowCount = 0

  /// The greatest number of runs: 32 megabytes.
  private static let mostRuns: Int64 = 1 << 22

  /// Makes a fingerprint without rows; nil if the keys are so far apart that the sums would take too
  /// much memory.
  ///
  /// - Parameter keys: The least and the greatest key.
  package init?(keys: ClosedRange<Int64>) {
    firstRun = KeyRuns.number(ofKey: keys.lowerBound)
    let count = KeyRuns.number(ofKey: keys.upperBound) - firstRun + 1
    guard count <= Self.mostRuns else { return nil }
    sums = Array(repeating: 0, count: Int(count))
  }

  /// Adds a row, in any order.
  ///
  /// - Parameters:
  ///   - digest: The digest of the key and of the values that decide on the row's position.
  ///   - key: The key, within the keys that the fingerprint was made for.
  package mutating func add(_ digest: UInt64, key: Int64) {
    sums[Int(KeyRuns.number(ofKey: key) - firstRun)] &+= digest
    rowCount += 1
  }

  /// Adds the rows of another fingerprint that was made for the same keys.
  package mutating func add(_ other: FetchFingerprint) {
    for index in sums.indices { sums[index] &+= other.sums[index] }
    rowCount += other.rowCount
  }

  /// The runs of keys in which a row was inserted, changed or deleted.
  ///
  /// - Parameters:
  ///   - earlier: The fingerprint of the same plan at an earlier time.
  ///   - limit: The greatest number of runs.
  /// - Returns: The runs; nil if there are more.
  package func changes(since earlier: FetchFingerprint, limit: Int) -> KeyRuns? {
    var changed: [Int64] = []
    let (first, last) = (min(firstRun, earlier.firstRun), max(lastRun, earlier.lastRun))
    var run = first
    while run <= last {
      if sum(of: run) != earlier.sum(of: run) { changed.append(run) }
      if changed.count > limit { return nil }
      // Deleted or inserted rows may lie far from all others.
      if run == lastRun, run < earlier.firstRun {
        run = earlier.firstRun
      } else if run == earlier.lastRun, run < firstRun {
        run = firstRun
      } else {
        run += 1
      }
    }
    return KeyRuns(numbers: changed)
  }

  private var lastRun: Int64 { firstRun + Int64(sums.count) - 1 }

  private func sum(of run: Int64) -> UInt64 {
    run >= firstRun && run <= lastRun ? sums[Int(run - firstRun)] : 0
  }
}

/// Some runs of 16 neighbouring integer keys.
package struct KeyRuns: Hashable, Sendable {
  private static let bits: Int64 = 4
  /// The numbers of the runs, ascending.
  let numbers: [Int64]

  /// The number of the run that a key is in.
  static func number(ofKey key: Int64) -> Int64 { key >> bits }

  package var isEmpty: Bool { numbers.isEmpty }

  /// All keys of the runs, ascending, whether there are rows with them or not.
  package var keys: [Int64] {
    numbers.flatMap { number in (0..<1 << Self.bits).map { number << Self.bits | $0 } }
  }
}

extension ObjectIDList {
  /// The indexes of the permanent IDs whose integer key is in some runs, ascending; nil if the list
  /// stores whole IDs.
  ///
  /// - Complexity: O(*n*), one pass over the codes.
  package func indexes(in runs: KeyRuns) -> [Int]? {
    withCoding { codes, coding in
      guard let first = runs.numbers.first else { return [] }
      // A small table, with a few wrong hits, rejects nearly all keys.
      var table = [Bool](repeating: false, count: 1 << 14)
      let mask = Int64(table.count - 1)
      for number in runs.numbers { table[Int(number & mask)] = true }
      let wanted = Set(runs.numbers)
      return codes.indices.filter { index in
        let number = KeyRuns.number(ofKey: coding.key(ofCode: codes[index]))
        return number >= first && table[Int(number & mask)] && wanted.contains(number)
      }
    }
  }
}

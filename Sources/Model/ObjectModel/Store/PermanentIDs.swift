/// The permanent IDs of objects that were saved, by their temporary keys.
///
/// Objects that were inserted one after the other nearly always get keys one after the other: a run
/// of them takes as much memory as one, so that a program may insert millions.
struct PermanentIDs {
  /// Temporary keys one after the other, whose permanent ones are one after the other too.
  struct Run {
    private let key: UInt64
    private let id: ObjectID
    private var count: UInt64 = 1

    private init(key: UInt64, id: ObjectID) { (self.key, self.id) = (key, id) }

    /// The runs of some IDs, in the order of their temporary keys.
    static func all(of permanentIDs: [ObjectID: ObjectID]) -> [Run] {
      var pairs: [(key: UInt64, id: ObjectID)] = []
      pairs.reserveCapacity(permanentIDs.count)
      for (temporary, permanent) in permanentIDs {
        if case .temporary(let key) = temporary.key { pairs.append((key, permanent)) }
      }
      pairs.sort { $0.key < $1.key }
      var runs: [Run] = []
      for (key, id) in pairs {
        if let last = runs.last, last.continues(with: key, id) {
          runs[runs.count - 1].count += 1
        } else {
          runs.append(Run(key: key, id: id))
        }
      }
      return runs
    }

    private func continues(with key: UInt64, _ id: ObjectID) -> Bool {
      key - self.key == count && continued(to: key) == id
    }

    private func continued(to key: UInt64) -> ObjectID? {
      if key == self.key { return id }
      guard case .integer(let first) = id.key else { return nil }
      return ObjectID(id.scope, key: .integer(first &+ Int64(key - self.key)))
    }

    /// The permanent ID of a temporary key; nil if it is not in the run.
    subscript(key: UInt64) -> ObjectID? {
      key >= self.key && key - self.key < count ? continued(to: key) : nil
    }

    /// The temporary keys.
    var keys: Range<UInt64> { key..<key + count }
  }

  /// In the order of their keys, none of which is in two runs.
  private var runs: [Run] = []
  /// The IDs of keys that were given together with some that are in a run already.
  private var replacements: [UInt64: ObjectID] = [:]

  /// Adds a run; what was known of its keys is replaced.
  mutating func add(_ run: Run) {
    let index = index(after: run.keys.lowerBound)
    let neighbours = runs[max(index - 1, 0)..<min(index + 1, runs.count)]
    let isNew = !neighbours.contains { $0.keys.overlaps(run.keys) }
    if isNew { runs.insert(run, at: index) }
    if isNew, replacements.isEmpty { return }
    for key in run.keys { replacements[key] = isNew ? nil : run[key] }
  }

  /// The ID of a temporary key; nil if the object was not saved.
  subscript(key: UInt64) -> ObjectID? {
    if !replacements.isEmpty, let id = replacements[key] { return id }
    let index = index(after: key)
    return index > 0 ? runs[index - 1][key] : nil
  }

  /// The index of the first run that begins after a key.
  private func index(after key: UInt64) -> Int {
    runs.partitioningIndex { $0.keys.lowerBound > key }
  }
}

extension ObjectIDList {
  /// The list after edits.
  ///
  /// - Complexity: O(*n*), as moves of memory.
  package func applying(_ edits: ListEdits) -> ObjectIDList {
    let edited = withKeys { keys -> ObjectIDList? in
      var codes: [Int64] = []
      codes.reserveCapacity(edits.insertions.count)
      for insertion in edits.insertions {
        guard let code = compactKey(of: insertion.id) else { return nil }
        codes.append(code)
      }
      return ObjectIDList(compactKeys: keys.applying(edits, adding: codes), like: self)
    }
    return (edited ?? nil)
      ?? ObjectIDList(Array(self).applying(edits, adding: edits.insertions.map(\.id)))
  }

  /// The indexes of objects, ascending; those not in the list are left out.
  ///
  /// - Complexity: O(*n*), one pass over the keys whatever the number of objects.
  package func indexes(of objects: some Collection<ObjectID>) -> [(index: Int, id: ObjectID)] {
    guard !objects.isEmpty else { return [] }
    let byKey = withKeys { keys in
      let codes = Set(objects.compactMap { compactKey(of: $0) })
      return codes.count > 4 ? keys.indexes(of: codes) : keys.indexes(ofFew: codes)
    }
    if let byKey { return byKey.map { ($0, self[$0]) } }
    let wanted = Set(objects)
    return enumerated().filter { wanted.contains($1) }.map { ($0, $1) }
  }
}

extension [Int64] {
  /// The indexes of a few keys.
  ///
  /// Blocks are compared with each key as a whole, in a third of the time of one number after the
  /// other.
  fileprivate func indexes(ofFew wanted: Set<Int64>) -> [Int] {
    let blockSize = 256
    var found: [Int] = []
    withUnsafeBufferPointer { keys in
      for start in stride(from: 0, to: keys.count, by: blockSize) {
        let block = keys[start..<Swift.min(start + blockSize, keys.count)]
        for key in wanted {
          var hits = 0
          for other in block { hits &+= other == key ? 1 : 0 }
          if hits > 0 { found += block.indices.filter { block[$0] == key } }
        }
      }
    }
    return found.sorted()
  }

  /// The indexes of some keys; a small table rejects nearly all others before they are hashed.
  fileprivate func indexes(of wanted: Set<Int64>) -> [Int] {
    var table = [Bool](repeating: false, count: 1 << 14)
    let mask = Int64(table.count - 1)
    for key in wanted { table[Int(key & mask)] = true }
    return indices.filter { table[Int(self[$0] & mask)] && wanted.contains(self[$0]) }
  }
}

extension Array {
  fileprivate func applying(_ edits: ListEdits, adding added: [Element]) -> [Element] {
    var result: [Element] = []
    result.reserveCapacity(count - edits.removals.count + added.count)
    var (next, removal, kept) = (0, 0, 0)
    /// Copies rows up to the next removal or insertion in one go.
    func copy(untilKept gap: Int) {
      while kept < gap || (removal < edits.removals.count && edits.removals[removal] == next) {
        if removal < edits.removals.count, edits.removals[removal] == next {
          removal += 1
          next += 1
          continue
        }
        let stop = removal < edits.removals.count ? edits.removals[removal] : count
        let length = Swift.min(gap - kept, stop - next)
        result += self[next..<next + length]
        next += length
        kept += length
      }
    }
    for (insertion, element) in zip(edits.insertions, added) {
      copy(untilKept: insertion.gap)
      result.append(element)
    }
    copy(untilKept: count - edits.removals.count)
    return result
  }
}

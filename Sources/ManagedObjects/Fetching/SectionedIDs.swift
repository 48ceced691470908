import ObjectModel

/// Ordered IDs in sections, changed in one pass whatever the number of changes.
struct SectionedIDs {
  var ids: ObjectIDList
  var sections: [SectionRun]

  init(_ fetched: FetchedIDs) {
    ids = fetched.ids
    sections = fetched.sections
  }

  private init(ids: ObjectIDList, sections: [SectionRun]) {
    self.ids = ids
    self.sections = sections
  }

  func removing(_ removed: Set<ObjectID>) -> SectionedIDs {
    var places: [Int] = []
    let codes = Set(removed.compactMap(ids.compactKey))
    let isScanned: Void? = ids.withKeys { keys in
      for (place, key) in keys.enumerated() where codes.contains(key) { places.append(place) }
    }
    if isScanned == nil {
      for (place, id) in ids.enumerated() where removed.contains(id) { places.append(place) }
    }
    guard !places.isEmpty else { return self }
    return rebuilt(breaks: places) { builder, place in
      builder.skip(from: place)
    }
  }

  /// Puts IDs in, each before the one that stood at its place; in the order given where places are equal.
  func inserting(_ inserted: [(id: ObjectID, place: Int, section: String?)]) -> SectionedIDs {
    guard !inserted.isEmpty else { return self }
    var next = 0
    return rebuilt(breaks: inserted.map(\.place)) { builder, _ in
      builder.append(inserted[next].id, section: inserted[next].section)
      next += 1
    }
  }

  func slice(offset: Int, limit: Int?) -> SectionedIDs {
    let start = min(max(offset, 0), ids.count)
    let count = min(max(limit ?? ids.count, 0), ids.count - start)
    guard start > 0 || count < ids.count else { return self }
    var builder = Builder(self)
    builder.source = start
    builder.section(at: start)
    builder.copy(upTo: start + count)
    return SectionedIDs(ids: builder.ids, sections: builder.sections)
  }

  func fetched(hasSections: Bool) -> FetchedIDs {
    FetchedIDs(ids: ids, sections: hasSections ? sections : [])
  }

  private func rebuilt(breaks: [Int], _ body: (inout Builder, Int) -> Void) -> SectionedIDs {
    var builder = Builder(self)
    for place in breaks {
      builder.copy(upTo: place)
      body(&builder, place)
    }
    builder.copy(upTo: ids.count)
    return SectionedIDs(ids: builder.ids, sections: builder.sections)
  }

  /// Copies runs of the old list, with additions between, to a new one.
  private struct Builder {
    let old: SectionedIDs
    var ids: ObjectIDList
    var sections: [SectionRun] = []
    var source = 0
    private var run = 0
    private var leftInRun: Int

    init(_ old: SectionedIDs) {
      self.old = old
      ids = old.ids
      ids.removeSubrange(ids.startIndex..<ids.endIndex)  // stays compact
      leftInRun = old.sections.first?.count ?? 0
    }

    mutating func copy(upTo end: Int) {
      guard end > source else { return }
      ids.append(contentsOf: old.ids[source..<end])
      pass(end - source, isKept: true)
      source = end
    }

    mutating func skip(from place: Int) {
      pass(1, isKept: false)
      source = place + 1
    }

    mutating func append(_ id: ObjectID, section: String?) {
      ids.append(id)
      if let section { add(1, to: section) }
    }

    /// Begins in the middle of the old list.
    mutating func section(at place: Int) { pass(place, isKept: false) }

    private mutating func pass(_ count: Int, isKept: Bool) {
      var count = count
      while count > 0, run < old.sections.count {
        let step = min(count, leftInRun)
        if isKept, step > 0 { add(step, to: old.sections[run].name) }
        count -= step
        leftInRun -= step
        if leftInRun == 0 {
          run += 1
          leftInRun = run < old.sections.count ? old.sections[run].count : 0
        }
      }
    }

    private mutating func add(_ count: Int, to name: String) {
      if let last = sections.indices.last, sections[last].name == name {
        sections[last].count += count
      } else {
        sections.append(SectionRun(name: name, count: count))
      }
    }
  }
}

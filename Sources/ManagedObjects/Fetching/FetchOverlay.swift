package import ObjectModel

/// Lays a context's unsaved changes over the store's answer to a plan.
///
/// Objects whose change can matter are taken out of the answer; those that still match are put back at their place, found by
/// binary searches in step: a query a step, however many objects.
struct FetchOverlay {
  private let context: ManagedObjectContext
  private let plan: FetchPlan
  private let touched: Set<ObjectID>

  /// Nil when no unsaved change can matter to the plan.
  init?(_ context: ManagedObjectContext, _ plan: FetchPlan) throws {
    guard context.hasChanges else { return nil }
    let touched = try AffectedObjects(context, plan).find()
    guard !touched.isEmpty else { return nil }
    self.context = context
    self.plan = plan
    self.touched = touched
  }

  /// The plan to ask the store: enough rows that a limit can be honoured after some are taken out.
  var widenedPlan: FetchPlan {
    var widened = plan
    widened.offset = 0
    widened.limit = plan.limit.map { limit in
      let (sum, overflow) = limit.addingReportingOverflow(plan.offset)
      let (total, overflowToo) = sum.addingReportingOverflow(touched.count)
      return overflow || overflowToo ? Int.max : total
    }
    return widened
  }

  func laid(over fetched: FetchedIDs, isWidened: Bool) throws -> FetchedIDs {
    let kept = SectionedIDs(fetched).removing(touched)
    let candidates = try matching()
    let places = try places(of: candidates, in: kept.ids)
    var result = kept.inserting(
      zip(candidates, places).map {
        (id: $0.id, place: $1, section: plan.sectionKey == nil ? nil : sectionName(of: $0.id))
      })
    if isWidened { result = result.slice(offset: plan.offset, limit: plan.limit) }
    return result.fetched(hasSections: plan.sectionKey != nil)
  }

  private struct Candidate {
    let id: ObjectID
    let keys: [FetchSortDescriptor.SortValue]
  }

  /// The touched objects that match, in order.
  private func matching() throws -> [Candidate] {
    let alive = touched.filter(context.isAlive)
    try context.prefetch(alive)
    let found = alive.compactMap { id -> Candidate? in
      guard context.currentRow(of: id) != nil else { return nil }
      if let predicate = plan.predicate, !predicate.matches(context.object(with: id)) { return nil }
      return Candidate(id: id, keys: sortKeys(of: id))
    }
    return found.sorted { precedes($0, $1) }
  }

  private func places(of candidates: [Candidate], in ids: ObjectIDList) throws -> [Int] {
    if plan.sortDescriptors.isEmpty {
      return candidates.map { candidate in
        partition(ids) { $0 < candidate.id }
      }
    }
    var ranges = candidates.map { _ in 0..<ids.count }
    while true {
      let probes = Set(ranges.filter { !$0.isEmpty }.map { ($0.lowerBound + $0.upperBound) / 2 })
      guard !probes.isEmpty else { return ranges.map(\.lowerBound) }
      try context.prefetch(probes.map { ids[$0] })
      let known = Dictionary(
        uniqueKeysWithValues: probes.map {
          ($0, Candidate(id: ids[$0], keys: sortKeys(of: ids[$0])))
        })
      for index in ranges.indices where !ranges[index].isEmpty {
        let middle = (ranges[index].lowerBound + ranges[index].upperBound) / 2
        guard let probe = known[middle] else { continue }
        ranges[index] =
          precedes(probe, candidates[index])
          ? middle + 1..<ranges[index].upperBound : ranges[index].lowerBound..<middle
      }
    }
  }

  private func partition(_ ids: ObjectIDList, _ isBefore: (ObjectID) -> Bool) -> Int {
    var range = 0..<ids.count
    while !range.isEmpty {
      let middle = (range.lowerBound + range.upperBound) / 2
      range = isBefore(ids[middle]) ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }

  private func precedes(_ a: Candidate, _ b: Candidate) -> Bool {
    for (index, descriptor) in plan.sortDescriptors.enumerated()
    where a.keys[index] != b.keys[index] {
      return (a.keys[index] < b.keys[index]) == descriptor.ascending
    }
    return a.id < b.id
  }

  private func sortKeys(of id: ObjectID) -> [FetchSortDescriptor.SortValue] {
    plan.sortDescriptors.map { $0.sortValue(context.value(at: $0.keyPath, of: id)) }
  }

  private func sectionName(of id: ObjectID) -> String? {
    plan.sectionKey.map { $0.name(of: context.value(at: $0.keyPath, of: id)) }
  }
}

extension ManagedObjectContext {
  /// The decoded value that a key path of attributes and to-one relationships leads to; null when it leads nowhere.
  package func value(at keyPath: String, of id: ObjectID) -> Value {
    var id = resolve(id)
    let components = KeyPathText.components(of: keyPath) ?? []
    for component in components.dropLast() {
      guard let place = toOneIndex(component, of: id),
        let next = currentRow(of: id)?.destination(at: place), isAlive(next)
      else { return .null }
      id = next
    }
    let entity = info(for: id.entityName).entity
    guard let last = components.last, let place = entity.attributeIndex(last),
      let row = currentRow(of: id)
    else { return .null }
    return entity.attributes[place].decode(row.value(at: place))
  }
}

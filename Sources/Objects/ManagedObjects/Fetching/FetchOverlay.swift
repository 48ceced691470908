import ObjectModel

/// Lays a context's unsaved changes over the store's results for a plan.
///
/// Objects whose unsaved changes can alter the results are removed; those that match are inserted
/// at their new positions.
struct FetchOverlay {
  private let context: ManagedObjectContext
  private let plan: FetchPlan
  private let dependencies: Dependencies
  let changed: [ObjectID]

  /// Nil if no unsaved change can alter the results.
  init?(_ context: ManagedObjectContext, _ plan: FetchPlan) throws {
    guard context.hasChanges else { return nil }
    let dependencies = Dependencies(plan, in: context)
    let changed = try context.throwingReports {
      try dependencies.affectedByUnsavedChanges(of: context)
    }
    guard !changed.isEmpty else { return nil }
    self.context = context
    self.plan = plan
    (self.dependencies, self.changed) = (dependencies, changed)
  }

  /// The plan for the store: enough rows to fill a limit after some are removed.
  var widenedPlan: FetchPlan {
    var widened = plan
    widened.offset = 0
    widened.limit = plan.limit.map { limit in
      let (sum, overflow) = limit.addingReportingOverflow(plan.offset)
      let (total, overflowToo) = sum.addingReportingOverflow(changed.count)
      return overflow || overflowToo ? Int.max : total
    }
    return widened
  }

  /// How many objects more there are without a predicate.
  var addedCount: Int {
    changed.reduce(0) { count, id in
      let isAlive = context.currentRow(of: id) != nil
      // An object whose saved deletion was undone is inserted with the ID that it had.
      let isStored = !id.isTemporary && context.pending[id]?.isInserted != true
      return count + (isAlive ? 1 : 0) - (isStored ? 1 : 0)
    }
  }

  func laid(over fetched: FetchedIDs, isWidened: Bool, open: OpenEnds = []) throws -> FetchedIDs {
    var placement = try Placement(
      of: changed, in: fetched.ids, for: plan, by: RowOrder(plan, dependencies), context: context)
    placement.dropMembers(at: open)
    let result = fetched.applying(placement.edits, isSectioned: plan.sectionKey != nil)
    return isWidened ? result.slice(for: plan) : result
  }
}

extension FetchedIDs {
  /// The part of the results within the offset and the limit of a plan.
  func slice(for plan: FetchPlan) -> FetchedIDs {
    let range = plan.window(of: ids.count)
    guard range != ids.indices else { return self }
    var result = self
    result.ids.removeSubrange(range.upperBound...)
    result.ids.removeSubrange(..<range.lowerBound)
    var end = 0
    result.sections = sections.compactMap { section in
      end += section.count
      let part = (end - section.count..<end).clamped(to: range)
      return part.isEmpty ? nil : SectionRun(name: section.name, count: part.count)
    }
    return result
  }
}

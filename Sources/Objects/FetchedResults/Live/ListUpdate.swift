import ManagedObjects
import ObjectModel

/// The update of a list for changed objects.
struct ListUpdate {
  /// The list before, with its objects' present IDs.
  let old: ResultsSections
  let new: ResultsSections
  let change: ResultsChange

  /// Finds the new positions of changed objects in a list, or in a part of it, at whose open ends
  /// there may be other rows.
  ///
  /// - Throws: ``SplitSection`` if the list is outdated; what reading rows throws.
  init(
    _ changed: ChangedObjects, in list: ResultsSections, _ query: LiveQuery,
    _ context: ManagedObjectContext, open: OpenEnds
  ) throws {
    old = list.renaming(changed.permanentIDs)
    var placement = try Placement(
      of: Array(changed.ids), in: old.ids, for: query.plan, by: query.order, context: context)
    placement.dropMembers(at: open)
    let (members, remaining) = (placement.members, placement.remaining)
    new = try old.applying(placement.edits)
    let sections = SectionMatch(from: old, to: new)
    let staying = Self.staying(placement, from: old, to: new, sections)
    let stayingOld = Set(staying.map(\.old))
    let stayingNew = Set(staying.map(\.new))
    change = ResultsChange(
      from: old, to: new, removed: remaining.removals.filter { !stayingOld.contains($0) },
      inserted: members.enumerated().map { $1.gap + $0 }.filter { !stayingNew.contains($0) },
      updated: staying, deletedSections: sections.deleted, insertedSections: sections.inserted)
  }

  /// The members that keep their position: as many as possible of those whose unchanged neighbours
  /// are the same as before.
  private static func staying(
    _ placement: Placement, from old: ResultsSections, to new: ResultsSections,
    _ sections: SectionMatch
  ) -> [(old: Int, new: Int)] {
    let members = placement.members
    var staying: [(old: Int, new: Int)] = []
    var start = 0
    while start < members.count {
      let gap = members[start].gap
      let end = members[start...].firstIndex { $0.gap != gap } ?? members.count
      let candidates = (start..<end).compactMap { index -> (old: Int, new: Int)? in
        guard let oldIndex = placement.oldIndex(ofMember: index),
          placement.remaining.count(before: oldIndex) == gap,
          sections.isSame(
            old.counts.run(holding: oldIndex).index, new.counts.run(holding: gap + index).index)
        else { return nil }
        return (oldIndex, gap + index)
      }
      staying += candidates.map(\.old).longestIncreasingSubsequence.map { candidates[$0] }
      start = end
    }
    return staying
  }
}

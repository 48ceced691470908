import ManagedObjects
import ObjectModel

/// The step from a list to the one in which changed objects are where they belong now.
struct ListUpdate {
  /// The list before, with the IDs that its objects have now.
  let old: ResultsSections
  let new: ResultsSections
  let change: ResultsChange

  /// Finds where changed objects belong.
  ///
  /// - Parameters:
  ///   - touches: The objects.
  ///   - list: The list before.
  ///   - query: What the list shows.
  ///   - context: Where the objects' values are.
  ///   - isOpenEnded: Whether rows that were not fetched yet come after the last.
  /// - Throws: ``TornSection`` when the list is out of date; what reading rows throws.
  init(
    _ touches: Touches, in list: ResultsSections, _ query: LiveQuery,
    _ context: ManagedObjectContext, isOpenEnded: Bool
  ) throws {
    old = list.renaming(touches.permanentIDs)
    var placement = try Placement(
      of: touches.ids, in: old.ids, for: query.plan, by: query.order, context: context)
    if isOpenEnded { placement.dropMembersAtEnd() }
    let (members, remaining) = (placement.members, placement.remaining)

    let edited = try old.applying(placement.edits)
    let staying = Self.staying(members, edited, old, remaining)
    let stayingOld = Set(staying.map(\.old))
    let stayingNew = Set(staying.map(\.new))
    new = edited.list
    change = ResultsChange(
      from: old, to: edited.list, left: remaining.removals.filter { !stayingOld.contains($0) },
      entered: members.enumerated().map { $1.gap + $0 }.filter { !stayingNew.contains($0) },
      updated: staying, deletedSections: edited.deletedSections,
      insertedSections: edited.insertedSections)
  }

  /// The members that have not moved: as many as possible of those between the same neighbours as
  /// before.
  private static func staying(
    _ members: [Placement.Member], _ edited: ResultsSections.Edited, _ old: ResultsSections,
    _ remaining: RemainingRows
  ) -> [(old: Int, new: Int)] {
    var staying: [(old: Int, new: Int)] = []
    var start = 0
    while start < members.count {
      let gap = members[start].gap
      let end = members[start...].firstIndex { $0.gap != gap } ?? members.count
      let candidates = (start..<end).compactMap { index -> (old: Int, new: Int)? in
        guard let oldIndex = members[index].oldIndex, remaining.count(before: oldIndex) == gap,
          edited.joined[index] == old.counts.run(holding: oldIndex).index
        else { return nil }
        return (oldIndex, gap + index)
      }
      staying += candidates.map(\.old).longestIncreasingSubsequence.map { candidates[$0] }
      start = end
    }
    return staying
  }
}

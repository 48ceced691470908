import ManagedObjects
import ObjectModel

/// Finds where touched objects stand now, beside those that stand still.
struct Placing {
  /// The list before, with the IDs that its objects have now.
  let old: ResultsSections
  let new: ResultsSections
  let change: ResultsChange

  /// An object that belongs in the list.
  private struct Member {
    let key: RowOrder.Key
    let sectionName: String
    var oldPlace: Int?
    var gap = 0
  }

  /// Places touched objects in a list.
  ///
  /// - Parameters:
  ///   - touches: The objects.
  ///   - list: The list as it stands.
  ///   - query: What the list shows.
  ///   - context: Where the objects' values are.
  ///   - isOpenEnded: Whether rows that were not fetched yet come after the last.
  /// - Throws: ``TornSection`` when the list is out of date; what reading rows throws.
  init(
    _ touches: Touches, in list: ResultsSections, _ query: LiveQuery,
    _ context: ManagedObjectContext, isOpenEnded: Bool
  ) throws {
    old = list.renaming(touches.permanentIDs)
    let present = old.ids.places(of: touches.ids)
    let oldPlaces = Dictionary(
      present.map { ($0.id, $0.place) }, uniquingKeysWith: { first, _ in first })
    let remaining = RemainingPlaces(removals: present.map(\.place), count: old.count)

    try context.prefetch(touches.ids, along: query.dependencies.toOnePaths)
    var members = touches.ids.compactMap { id -> Member? in
      let object = context.object(with: id)
      guard query.includes(object) else { return nil }
      return Member(
        key: query.order.key(of: id, in: context),
        sectionName: query.order.sectionName(of: id, in: context), oldPlace: oldPlaces[id])
    }.sorted { query.order.areInOrder($0.key, $1.key) }

    var search = PlaceSearch(list: old, remaining: remaining, query: query, context: context)
    let gaps = try search.gaps(
      for: members.map(\.key), near: members.map { $0.oldPlace.map(remaining.index(before:)) })
    for index in members.indices { members[index].gap = gaps[index] }
    // What would stand after the last row may belong after rows that are not here yet.
    if isOpenEnded { members.removeAll { $0.gap == remaining.count } }

    let edited = try old.applying(
      ListEdits(
        removals: remaining.removals,
        insertions: members.map {
          ListEdits.Insertion(gap: $0.gap, id: $0.key.id, sectionName: $0.sectionName)
        }))
    let still = Self.still(members, edited, old, remaining)
    let stillOld = Set(still.map(\.old))
    let stillNew = Set(still.map(\.new))
    new = edited.list
    change = ResultsChange(
      from: old, to: edited.list, left: remaining.removals.filter { !stillOld.contains($0) },
      entered: members.enumerated().map { $1.gap + $0 }.filter { !stillNew.contains($0) },
      updated: still, deletedSections: edited.deletedSections,
      insertedSections: edited.insertedSections)
  }

  /// The members that have not left their places: as many as possible of those between the same neighbours as before.
  private static func still(
    _ members: [Member], _ edited: ResultsSections.Edited, _ old: ResultsSections,
    _ remaining: RemainingPlaces
  ) -> [(old: Int, new: Int)] {
    var still: [(old: Int, new: Int)] = []
    var start = 0
    while start < members.count {
      let gap = members[start].gap
      let end = members[start...].firstIndex { $0.gap != gap } ?? members.count
      let candidates = (start..<end).compactMap { index -> (old: Int, new: Int)? in
        guard let place = members[index].oldPlace, remaining.index(before: place) == gap,
          edited.joined[index] == old.counts.run(holding: place).index
        else { return nil }
        return (place, gap + index)
      }
      still += candidates.map(\.old).longestIncreasing.map { candidates[$0] }
      start = end
    }
    return still
  }
}

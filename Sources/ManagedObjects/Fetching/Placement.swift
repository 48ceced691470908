package import ObjectModel

/// The new positions of changed objects in an ordered list whose other rows have not changed.
///
/// The changed objects are removed; those that match the plan are inserted again at the positions
/// of their new values.
package struct Placement {
  /// A changed object that belongs in the list.
  package struct Member {
    /// What it is sorted by.
    package let key: RowOrder.Key
    package let sectionName: String
    /// Its index in the list before; nil if it was not there.
    package let oldIndex: Int?
    /// Before which of the remaining rows it belongs; their number for the end.
    package fileprivate(set) var gap = 0
  }

  /// The rows that have not changed.
  package let remaining: RemainingRows
  /// The changed objects that belong in the list, in its order.
  package private(set) var members: [Member]

  /// Finds the new positions of objects.
  ///
  /// - Parameters:
  ///   - changed: The objects.
  ///   - ids: The list before.
  ///   - plan: The plan of the list.
  ///   - order: The order of the plan.
  ///   - context: Where the objects' values are.
  /// - Throws: What reading rows throws.
  /// - Complexity: O(*k* log *n*) rows read for *k* objects, and one pass over the 8-byte keys.
  package init(
    of changed: Set<ObjectID>, in ids: ObjectIDList, for plan: FetchPlan, by order: RowOrder,
    context: ManagedObjectContext
  ) throws {
    let present = ids.indexes(of: changed)
    let oldIndexes = Dictionary(firstOf: present.map { ($0.id, $0.index) })
    remaining = RemainingRows(removals: present.map(\.index), count: ids.count)

    let alive = changed.filter(context.isAlive)
    try order.prefetch(alive, in: context)
    members = try alive.compactMap { id in
      guard context.currentRow(of: id) != nil,
        try plan.predicate?.matches(context.object(with: id)) ?? true
      else { return nil }
      return Member(
        key: order.key(of: id, in: context), sectionName: order.sectionName(of: id, in: context),
        oldIndex: oldIndexes[id])
    }
    members.sort { order.areInOrder($0.key, $1.key) }

    var search = RowSearch(ids: ids, remaining: remaining, order: order, context: context)
    let gaps = try search.gaps(
      for: members.map(\.key), near: members.map { $0.oldIndex.map(remaining.count(before:)) })
    // What another process has saved may be in another order here than in the store, until it is
    // merged: the gaps ascend even so.
    var last = 0
    for (index, gap) in gaps.enumerated() {
      last = max(last, gap)
      members[index].gap = last
    }
  }

  /// Drops the members after the last row: rows that were not fetched yet may come before them.
  package mutating func dropMembersAtEnd() { members.removeAll { $0.gap == remaining.count } }

  /// Drops the members before the first row: rows that were not fetched yet may come after them.
  package mutating func dropMembersAtStart() { members.removeAll { $0.gap == 0 } }

  /// The edits that lead to the new list.
  package var edits: ListEdits {
    ListEdits(
      removals: remaining.removals,
      insertions: members.map {
        ListEdits.Insertion(gap: $0.gap, id: $0.key.id, sectionName: $0.sectionName)
      })
  }
}

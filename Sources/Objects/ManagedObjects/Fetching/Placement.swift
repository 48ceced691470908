package import ObjectModel
import OrderedCollections

/// The new positions of changed objects in an ordered list whose other rows have not changed.
///
/// The changed objects are removed; those that match the plan are inserted again at the positions
/// of their new values.
package struct Placement {
  /// The rows that have not changed.
  package let remaining: RemainingRows
  /// The changed objects that belong in the list, in its order.
  package private(set) var members: [ListEdits.Insertion] = []
  /// The indexes of the members in the list before, nil for those that were not there; empty if
  /// none was.
  private var oldIndexes: [Int?] = []

  /// Finds the new positions of objects.
  ///
  /// - Parameters:
  ///   - changed: The objects, each once.
  ///   - ids: The list before.
  ///   - plan: The plan of the list.
  ///   - order: The order of the plan.
  ///   - context: Where the objects' values are.
  /// - Throws: What reading rows throws.
  /// - Complexity: O(*k* log *n*) rows read for *k* objects, fewer if many belong between the same
  ///   rows, and one pass over the 8-byte keys.
  package init(
    of changed: [ObjectID], in ids: ObjectIDList, for plan: FetchPlan, by order: RowOrder,
    context: ManagedObjectContext
  ) throws {
    self = try context.throwingReports {
      try Placement(reading: changed, in: ids, for: plan, by: order, context: context)
    }
  }

  private init(
    reading changed: [ObjectID], in ids: ObjectIDList, for plan: FetchPlan, by order: RowOrder,
    context: ManagedObjectContext
  ) throws {
    let present = ids.indexes(of: changed)
    remaining = RemainingRows(removals: present.map(\.index), count: ids.count)

    let alive = context.alive(changed)
    var keys = SortKeys(order)
    keys.reserveCapacity(alive.count)
    var sections = SectionNamesOfMembers()
    for batch in alive.chunks(of: ManagedObjectContext.batchSize) {
      try order.prefetch(batch, in: context)
      for id in batch {
        guard context.currentRow(of: id) != nil,
          try plan.predicate?.matches(context.object(with: id)) ?? true
        else { continue }
        keys.append(id, in: context)
        if let name = order.sectionName(of: id, in: context) { sections.append(name) }
      }
    }
    keys.share(alive)
    let sorted = keys.sortedIndexes
    if !present.isEmpty {
      let indexes = Dictionary(firstOf: present.map { ($0.id, $0.index) })
      oldIndexes = sorted.map { indexes[keys.ids[$0]] }
    }
    let search = RowSearch(ids: ids, remaining: remaining, order: order, context: context)
    let gaps = try search.gaps(
      of: keys, sorted: sorted, near: oldIndexes.map { $0.map(remaining.count(before:)) })
    // Frees the sort keys, which are large for very many objects.
    let objects = keys.ids
    keys = SortKeys(order)
    // What another process has saved may be in another order here than in the store, until it is
    // merged: the gaps ascend even so.
    var last = 0
    members.reserveCapacity(sorted.count)
    for (index, gap) in zip(sorted, gaps) {
      last = max(last, gap)
      members.append(
        ListEdits.Insertion(gap: last, id: objects[index], sectionName: sections[index]))
    }
  }

  /// The index of a member in the list before, by its index among the members; nil if it was not
  /// there.
  package func oldIndex(ofMember index: Int) -> Int? {
    oldIndexes.isEmpty ? nil : oldIndexes[index]
  }

  /// Drops the members beyond the first or the last row where other rows, which the list does not
  /// have, may come before or after them.
  package mutating func dropMembers(at open: OpenEnds) {
    if open.contains(.end) {
      dropMembers(members.partitioningIndex { $0.gap == remaining.count }..<members.count)
    }
    if open.contains(.start) { dropMembers(0..<members.partitioningIndex { $0.gap > 0 }) }
  }

  private mutating func dropMembers(_ indexes: Range<Int>) {
    members.removeSubrange(indexes)
    if !oldIndexes.isEmpty { oldIndexes.removeSubrange(indexes) }
  }

  /// The edits that lead to the new list.
  package var edits: ListEdits { ListEdits(removals: remaining.removals, insertions: members) }
}

/// The ends of a list beyond which there may be rows that it does not have.
package struct OpenEnds: OptionSet, Hashable, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  package static let start = OpenEnds(rawValue: 1)
  package static let end = OpenEnds(rawValue: 2)
}

/// The names of the sections of objects, of which many have the same.
private struct SectionNamesOfMembers {
  private var names: OrderedSet<String> = []
  private var nameIndexes: [Int32] = []

  mutating func append(_ name: String) { nameIndexes.append(Int32(names.append(name).index)) }

  /// The name of an object's section; "" if no names were added.
  subscript(index: Int) -> String { nameIndexes.isEmpty ? "" : names[Int(nameIndexes[index])] }
}

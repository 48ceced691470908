import ManagedObjects
import ObjectModel
import OrderedCollections
import TerminalKit

/// The objects that are marked for deletion, and what was known of them when they were marked.
///
/// A row may be changed by another program between the mark and the save dialog, which then says
/// so.
nonisolated struct Marks {
  private var ids: OrderedSet<ObjectID> = []
  /// The versions of the rows that had been read.
  private var versions: [ObjectID: UInt64] = [:]
  /// Whether another program has changed the store since a row was marked that had not been read.
  private var isOutdated = false
  private var hasUnread = false

  /// The marked objects, in the order in which they were marked.
  var elements: [ObjectID] { ids.elements }

  /// Marks objects that are not marked yet.
  mutating func add(_ new: [ObjectID], in context: ManagedObjectContext) {
    // The first ones are in one array with those of the undo step: they may be very many.
    if ids.isEmpty { ids = OrderedSet(new) } else { ids.formUnion(new) }
    for id in new {
      if let version = context.knownVersion(of: id) {
        versions[id] = version
      } else if !id.isTemporary {
        hasUnread = true
      }
    }
  }

  /// Takes marks off.
  mutating func remove(_ old: some Sequence<ObjectID>) {
    ids.subtract(old)
    // The memory of very many marks is kept for the next ones otherwise.
    guard !ids.isEmpty else { return self = Marks() }
    for id in old { versions[id] = nil }
  }

  /// Notes that another program has changed the store.
  mutating func noteForeignCommit() { if hasUnread { isOutdated = true } }

  /// What is different now, one sentence each.
  ///
  /// - Parameters:
  ///   - plan: The deletion of the marked objects, with their present versions.
  ///   - context: The context, for names.
  /// - Returns: The sentences; empty if everything is as it was marked.
  func changes(in plan: DeletionPlan, _ context: ManagedObjectContext) -> [String] {
    let present = plan.direct.selected { plan.version(of: $0) != nil }
    let changed = present.filter { id in versions[id].map { $0 != plan.version(of: id) } ?? false }
    var sentences: [String] = []
    if let first = changed.first {
      let names = changed.prefix(3).map { context.displayName(of: $0) }.joined(separator: ", ")
      let what =
        changed.count == 1
        ? "\(names) was" : "\(groupedDigits(changed.count)) \(first.entityName) were"
      sentences.append(
        "\(what) changed since the mark" + (changed.count > 1 ? ": \(names)" : ""))
    }
    let unread = isOutdated ? present.count { versions[$0] == nil } : 0
    if unread > 0 {
      sentences.append(
        "Another program changed the store since \(groupedDigits(unread)) were marked unseen")
    }
    return sentences
  }
}

extension Marks: RandomAccessCollection {
  var startIndex: Int { ids.startIndex }
  var endIndex: Int { ids.endIndex }
  subscript(index: Int) -> ObjectID { ids[index] }
  func contains(_ id: ObjectID) -> Bool { ids.contains(id) }
}

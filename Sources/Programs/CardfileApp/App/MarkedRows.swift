import ManagedObjects
import ObjectModel
import TerminalKit

/// What was known of objects when they were marked for deletion.
///
/// A row may be changed by another program between the mark and the save dialog, which then says
/// so.
nonisolated struct MarkedRows {
  /// The versions of the rows that had been read.
  private var versions: [ObjectID: UInt64] = [:]
  /// Whether another program has changed the store since a row was marked that had not been read.
  private var isOutdated = false
  private var hasUnread = false

  /// Notes the rows of objects that are marked.
  mutating func add(_ ids: [ObjectID], in context: ManagedObjectContext) {
    for id in ids {
      if let version = context.knownVersion(of: id) {
        versions[id] = version
      } else if !id.isTemporary {
        hasUnread = true
      }
    }
  }

  /// Forgets objects that are no longer marked; all of them if none is marked any more.
  mutating func remove(_ ids: some Sequence<ObjectID>, isLast: Bool) {
    if isLast {
      self = MarkedRows()
    } else {
      for id in ids { versions[id] = nil }
    }
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

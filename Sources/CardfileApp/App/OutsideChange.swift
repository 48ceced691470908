import FetchedResults
import ManagedObjects
import ObjectModel
import TerminalKit

/// What other processes changed since the last key, each object counted once.
struct OutsideChange: Hashable {
  private enum Kind { case inserted, changed, removed }

  private var kinds: [ObjectID: Kind] = [:]

  /// Counts the cached objects that a refresh found changed.
  mutating func add(_ change: ContextChange) {
    for id in change.inserted { kinds[id] = .inserted }
    for id in change.refreshed { kinds[id] = .changed }
    for id in change.deleted { kinds[id] = .removed }
  }

  /// Counts rows that a list inserted, moved, updated or deleted, unless they are counted already.
  mutating func add(_ change: ResultsChange, from old: ResultsSections, to new: ResultsSections) {
    func count(_ id: ObjectID, _ kind: Kind) { if kinds[id] == nil { kinds[id] = kind } }
    for path in change.insertedRows { count(new.ids[new.index(at: path)], .inserted) }
    for row in change.updates + change.moves { count(new.ids[new.index(at: row.new)], .changed) }
    for path in change.deletedRows { count(old.ids[old.index(at: path)], .removed) }
  }

  /// The message; nil if nothing changed.
  var message: Message? {
    let parts = [("new", Kind.inserted), ("changed", .changed), ("removed", .removed)]
      .compactMap { name, kind in
        let count = kinds.values.count { $0 == kind }
        return count > 0 ? "\(groupedDigits(count)) \(name)" : nil
      }
    return parts.isEmpty ? nil : .done(parts.joined(separator: ", ") + " outside")
  }
}

import FetchedResults
import ManagedObjects
import ObjectModel
import TerminalApplications
import TerminalKit

/// What other processes changed since the last key, each object counted once.
struct OutsideChange: Hashable {
  private enum Kind { case inserted, changed, removed }

  private var kinds: [ObjectID: Kind] = [:]
  /// Whether more objects changed than are counted.
  private var hasOthers = false

  /// The greatest number of objects that are counted: a program may commit for hours.
  static let mostObjects = 10_000

  /// Counts the cached objects that a refresh found changed.
  mutating func add(_ change: ContextChange) {
    for id in change.inserted { count(id, .inserted) }
    for id in change.refreshed { count(id, .changed) }
    for id in change.deleted { count(id, .removed) }
  }

  private mutating func count(_ id: ObjectID, _ kind: Kind) {
    if kinds[id] == nil, kinds.count >= Self.mostObjects {
      hasOthers = true
    } else {
      kinds[id] = kind
    }
  }

  /// Counts rows that a list inserted, moved, updated or deleted, unless they are counted already.
  mutating func add(_ change: ResultsChange, from old: ResultsSections, to new: ResultsSections) {
    func countOnce(_ id: ObjectID, _ kind: Kind) { if kinds[id] == nil { count(id, kind) } }
    for path in change.insertedRows { countOnce(new.ids[new.index(at: path)], .inserted) }
    for row in change.updates + change.moves {
      countOnce(new.ids[new.index(at: row.new)], .changed)
    }
    for path in change.deletedRows { countOnce(old.ids[old.index(at: path)], .removed) }
  }

  /// The message; nil if nothing changed.
  var message: Message? {
    let parts = [("new", Kind.inserted), ("changed", .changed), ("removed", .removed)]
      .compactMap { name, kind in
        let count = kinds.values.count { $0 == kind }
        return count > 0 ? "\(groupedDigits(count)) \(name)" : nil
      }
    guard !parts.isEmpty else { return nil }
    return .done(parts.joined(separator: ", ") + (hasOthers ? " and others" : "") + " outside")
  }
}

import ManagedObjects
import TerminalKit

/// What other processes changed, as a person is told it.
struct OutsideChange: Hashable {
  var inserted = 0
  var changed = 0
  var removed = 0

  init(inserted: Int = 0, changed: Int = 0, removed: Int = 0) {
    (self.inserted, self.changed, self.removed) = (inserted, changed, removed)
  }

  init(_ change: ContextChange) {
    self.init(
      inserted: change.inserted.count, changed: change.refreshed.count,
      removed: change.deleted.count)
  }

  /// The sentence; nil when nothing changed.
  var message: Message? {
    let parts = [("new", inserted), ("changed", changed), ("removed", removed)]
      .filter { $0.1 > 0 }.map { "\(groupedDigits($0.1)) \($0.0)" }
    return parts.isEmpty ? nil : .done(parts.joined(separator: ", ") + " outside")
  }
}

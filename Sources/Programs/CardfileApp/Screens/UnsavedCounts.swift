import ManagedObjects
import ObjectModel
import TerminalApplications
import TerminalKit

/// The numbers of unsaved deletions, changes and insertions by entity.
struct UnsavedCounts {
  private struct Counts {
    var deleted = 0
    var updated = 0
    var inserted = 0
  }

  private var counts: [String: Counts] = [:]
  /// The revision of the session that they were counted at.
  let revision: Int

  /// Counts the marks and the changes of a session.
  ///
  /// - Complexity: O(n log n) in the number of changed objects.
  init(_ session: Session) {
    revision = session.revision
    for id in session.marks { counts[id.entityName, default: Counts()].deleted += 1 }
    let context = session.context
    guard context.hasChanges else { return }
    for id in context.deletedObjectIDs { counts[id.entityName, default: Counts()].deleted += 1 }
    for id in context.updatedObjectIDs { counts[id.entityName, default: Counts()].updated += 1 }
    for id in context.insertedObjectIDs { counts[id.entityName, default: Counts()].inserted += 1 }
  }

  /// Whether nothing is unsaved.
  var isEmpty: Bool { counts.isEmpty }

  /// The counters of an entity, as `D3 *1 +1`; empty if nothing of it is unsaved.
  subscript(entityName: String) -> String {
    counts[entityName].map {
      StatusLine.counters(deleted: $0.deleted, changed: $0.updated, inserted: $0.inserted)
    } ?? ""
  }
}

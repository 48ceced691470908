import ObjectModel

/// What happened in a context since its changes were last processed.
struct ChangeTracking {
  /// What happened to one object.
  enum Touch {
    /// It did not exist before: the names of what changed in it do not matter.
    case new
    /// It existed before; with the names of the attributes and relationships that changed.
    case known(Set<String>)

    /// Adds the names of attributes and relationships that change.
    mutating func add(_ new: Set<String>) {
      guard case .known(var keys) = self, !new.isEmpty else { return }
      // It is not copied if only one variable has it.
      self = .new
      if keys.isEmpty { keys = new } else { keys.formUnion(new) }
      self = .known(keys)
    }
  }

  /// How often changes were processed.
  private(set) var round = 0
  private var touches = IDTable<Touch>()
  /// Deleted objects whose delete rules have not been followed.
  var unplannedDeletions: [ObjectID] = []
  /// Objects whose hook was called because they are about to be deleted.
  var prepared: Set<ObjectID> = []
  /// Objects that others have saved since they were read here.
  var outdated: Set<ObjectID> = []
  /// Unsaved changes of rows of deleted objects, until their delete rules have been followed.
  private var removed = IDTable<Pending>()

  /// Notes that attributes and relationships of an object change, which exists or not before the
  /// change.
  mutating func touch(_ id: ObjectID, _ keys: Set<String>, exists: @autoclosure () -> Bool) {
    let position = touches.position(of: id) { exists() ? .known([]) : .new }
    touches.change(at: position) { $0.add(keys) }
  }

  /// The unsaved row of a deleted object, until its delete rules have been followed; nil if it had
  /// none.
  func removedRow(of id: ObjectID) -> RowSnapshot? {
    removed.isEmpty ? nil : removed[id]?.current
  }

  /// Keeps the unsaved change of the row of an object that is deleted.
  mutating func keepRemoved(_ change: Pending, of id: ObjectID) { removed.set(change, for: id) }

  /// Forgets the unsaved rows of deleted objects.
  mutating func forgetRemovedRows() { removed = IDTable() }

  /// Whether all that has happened was processed.
  var isProcessed: Bool { touches.isEmpty && removed.isEmpty && unplannedDeletions.isEmpty }

  /// Takes over what happened to objects after a copy of this was made, which was processed.
  mutating func takeOver(_ later: ChangeTracking) {
    (touches, removed) = (later.touches, later.removed)
  }

  /// Makes room for a number of objects.
  mutating func reserveCapacity(_ count: Int) { touches.reserveCapacity(count) }

  /// Returns what happened to each object, and clears it.
  mutating func takeTouches() -> IDTable<Touch> {
    defer { touches = IDTable() }
    round += 1
    return touches
  }
}

import ObjectModel

/// What happened in a context since its changes were last processed.
struct ChangeTracking {
  /// What happened to one object.
  struct Touch {
    /// Whether the object existed before.
    let existed: Bool
    /// The names of the attributes and relationships that changed.
    private(set) var keys: Set<String> = []

    /// Adds names; of an object that is new they do not matter.
    mutating func add(_ new: Set<String>) {
      guard existed, !new.isEmpty else { return }
      if keys.isEmpty { keys = new } else { keys.formUnion(new) }
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
  /// Unsaved rows of deleted objects, until their delete rules have been followed.
  var removedRows: [ObjectID: RowSnapshot] = [:]

  /// Notes that attributes and relationships of an object change, which exists or not before the
  /// change.
  mutating func touch(_ id: ObjectID, _ keys: Set<String>, exists: @autoclosure () -> Bool) {
    let place = touches.place(of: id) { Touch(existed: exists()) }
    touches.change(at: place) { $0.add(keys) }
  }

  /// Returns what happened to each object, and clears it.
  mutating func takeTouches() -> IDTable<Touch> {
    defer { touches = IDTable() }
    round += 1
    return touches
  }
}

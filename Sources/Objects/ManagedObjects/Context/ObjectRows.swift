import ObjectModel

/// The rows of an object: as it is in the store, and with its unsaved changes.
struct ObjectRows {
  /// The row in the store; nil for a new object.
  let base: RowSnapshot?
  /// The row with the unsaved changes.
  let current: RowSnapshot
  /// Whether the row has no unsaved changes.
  let isUnchanged: Bool

  init(base: RowSnapshot?, current: RowSnapshot) {
    (self.base, self.current, isUnchanged) = (base, current, false)
  }

  init(unchanged row: RowSnapshot) { (base, current, isUnchanged) = (row, row, true) }
}

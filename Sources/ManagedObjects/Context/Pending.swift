import ObjectModel

/// The unsaved change of one object.
///
/// It is small, so that large dictionaries of it stay small and lookups do not copy rows.
enum Pending: Hashable, Sendable {
  case inserted(NewRow)
  case updated(RowUpdate)
  indirect case deleted(Deletion)

  /// The row with the change; nil if it is deleted.
  var current: RowSnapshot? {
    switch self {
    case .inserted(let new): new.row
    case .updated(let update): update.current
    case .deleted: nil
    }
  }

  /// The row in the store; nil if there is none, or if it was never read.
  var base: RowSnapshot? {
    switch self {
    case .inserted: nil
    case .updated(let update): update.base
    case .deleted(let deletion): deletion.base
    }
  }

  /// The version of the row that was changed; nil for a new object, or if it is not known.
  var version: UInt64? {
    if case .deleted(let deletion) = self { deletion.version } else { base?.version }
  }

  var isDeleted: Bool { if case .deleted = self { true } else { false } }
  var isInserted: Bool { if case .inserted = self { true } else { false } }
  var isUpdated: Bool { if case .updated = self { true } else { false } }
}

/// The row of a new object: a reference to one whose values can be set in place.
struct NewRow: Hashable, Sendable {
  /// An array of one: it is copied only if somebody else refers to it.
  private var rows: [RowSnapshot]

  init(_ row: RowSnapshot) { rows = [row] }

  var row: RowSnapshot { rows[0] }

  /// The value of an attribute.
  subscript(index: Int) -> Value {
    get { rows[0].values[index] }
    set { rows[0].values[index] = newValue }
  }

  /// Whether no value is truncated.
  var isWhole: Bool { rows[0].isWhole }
}

/// The unsaved change of an object that is in the store.
final class RowUpdate: Hashable, Sendable {
  /// The row as it was read.
  let base: RowSnapshot
  /// The row with the changes.
  let current: RowSnapshot
  /// The difference between the two.
  let changes: Patch

  /// Makes the change of a row to another.
  ///
  /// - Parameters:
  ///   - base: The row as it was read.
  ///   - current: The row with the changes.
  ///   - changes: The difference, if it is known.
  init(of base: RowSnapshot, to current: RowSnapshot, changes: Patch? = nil) {
    (self.base, self.current) = (base, current)
    // What is noted of long values comes from the row.
    let known = current.isWhole && current.longHashes.isEmpty ? changes : nil
    self.changes = known ?? Patch(from: base, to: current)
  }

  static func == (lhs: RowUpdate, rhs: RowUpdate) -> Bool {
    lhs.base == rhs.base && lhs.current == rhs.current
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(base)
    hasher.combine(current)
  }
}

/// An unsaved deletion of an object that is in the store.
struct Deletion: Hashable, Sendable {
  /// The row as last read; nil if it was never read.
  var base: RowSnapshot? { read.first }
  /// The version that the deletion was planned on; nil until it is planned.
  var version: UInt64?
  /// The relationship that the deletion cascaded along; nil for an object that was deleted itself.
  var origin: RelationshipName?
  /// The to-many relationships of other objects that the object was in; empty until the deletion is
  /// planned.
  var former: [RelationshipEnd]
  /// The row, if it was read: of very many deletions it was not, and an empty array is small.
  private let read: [RowSnapshot]

  init(
    base: RowSnapshot?, version: UInt64?, origin: RelationshipName?, former: [RelationshipEnd] = []
  ) {
    read = base.map { [$0] } ?? []
    (self.version, self.origin, self.former) = (version, origin, former)
  }
}

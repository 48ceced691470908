import ObjectModel

/// The unsaved change of one object.
///
/// It is small, so that large tables of it stay small and lookups do not copy rows.
enum Pending {
  case inserted(NewRow)
  case updated(RowUpdate)
  case deleted(Deletion)

  /// What is done to the row.
  enum Kind { case inserted, updated, deleted }

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

  /// Sets a value in the row of a new object where it is.
  ///
  /// - Parameters:
  ///   - index: The attribute's index.
  ///   - value: The new value.
  /// - Returns: Whether it was another; nil if there is no new row whose values are known in full.
  mutating func setInserted(_ index: Int, to value: Value) -> Bool? {
    guard isInserted else { return nil }
    return withUnsafeMutablePointer(to: &self) { pointer in
      // While the row is referenced here and there, setting a value would copy it: so it is moved.
      guard case .inserted(var new) = pointer.move() else { preconditionFailure() }
      defer { pointer.initialize(to: .inserted(new)) }
      return new.update(index, to: value)
    }
  }
}

/// The row of a new object: a reference to one whose values can be set in place.
struct NewRow {
  /// It is copied before it changes if another new row has it too.
  private final class Content {
    var row: RowSnapshot

    init(_ row: RowSnapshot) { self.row = row }
  }

  private var content: Content

  init(_ row: RowSnapshot) { content = Content(row) }

  var row: RowSnapshot { content.row }

  /// The value of an attribute.
  subscript(index: Int) -> Value { content.row.values[index] }

  /// Whether the value of an attribute is null, which costs less than the value.
  func isNull(at index: Int) -> Bool { content.row.isNull(at: index) }

  /// Sets the value of an attribute, and returns whether it was another; nil if values may be
  /// truncated, and nothing is set.
  mutating func update(_ index: Int, to value: Value) -> Bool? {
    if !isKnownUniquelyReferenced(&content) { content = Content(content.row) }
    return content.row.update(index, to: value)
  }
}

/// The unsaved change of an object that is in the store.
final class RowUpdate: Sendable {
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
}

/// An unsaved deletion of an object that is in the store.
///
/// Nearly all of very many deletions are known by nothing but their version, and need no memory of
/// their own.
struct Deletion: Sendable {
  private enum Content {
    case version(UInt64)
    case details(Details)
  }

  private final class Details: Sendable {
    let base: RowSnapshot?
    let version: UInt64?
    let origin: RelationshipName?
    let former: [RelationshipEnd]

    init(
      _ base: RowSnapshot?, _ version: UInt64?, _ origin: RelationshipName?,
      _ former: [RelationshipEnd]
    ) {
      (self.base, self.version, self.origin, self.former) = (base, version, origin, former)
    }
  }

  private let content: Content

  init(
    base: RowSnapshot?, version: UInt64?, origin: RelationshipName?, former: [RelationshipEnd] = []
  ) {
    if let version, base == nil, origin == nil, former.isEmpty {
      content = .version(version)
    } else {
      content = .details(Details(base, version, origin, former))
    }
  }

  private var details: Details? { if case .details(let details) = content { details } else { nil } }

  /// The row as last read; nil if it was never read.
  var base: RowSnapshot? { details?.base }

  /// The version that the deletion was planned on; nil until it is planned.
  var version: UInt64? {
    switch content {
    case .version(let version): version
    case .details(let details): details.version
    }
  }

  /// The relationship that the deletion cascaded along; nil for an object that was deleted itself.
  var origin: RelationshipName? { details?.origin }

  /// The to-many relationships of other objects that the object was in; empty until the deletion is
  /// planned.
  var former: [RelationshipEnd] { details?.former ?? [] }
}

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

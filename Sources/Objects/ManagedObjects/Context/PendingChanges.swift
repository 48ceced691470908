import ObjectModel

/// The unsaved changes of rows, by object.
///
/// The objects are retained here, because there may be no other reference to them.
struct PendingChanges {
  private struct Row {
    var change: Pending
    var object: ManagedObject?
  }

  private var rows = IDTable<Row>()

  var isEmpty: Bool { rows.isEmpty }
  var count: Int { rows.count }

  /// The changed objects.
  var ids: some RandomAccessCollection<ObjectID> { rows.ids }

  /// What is done to each object's row, in no order: it costs less than the changes, of which none
  /// is referenced.
  var kinds: some Sequence<(id: ObjectID, kind: Pending.Kind)> {
    rows.entries.indices.lazy.map { [entries = rows.entries] position in
      (entries[position].id, Self.kind(entries[position].content))
    }
  }

  private static func kind(_ row: borrowing Row) -> Pending.Kind {
    switch row.change {
    case .inserted: .inserted
    case .updated: .updated
    case .deleted: .deleted
    }
  }

  /// The objects with some of the changes.
  func ids(where isIncluded: (Pending) -> Bool) -> [ObjectID] {
    rows.entries.compactMap { isIncluded($0.content.change) ? $0.id : nil }
  }

  /// The change of an object; nil if its row is unchanged.
  subscript(id: ObjectID) -> Pending? {
    rows.position(of: id).map { rows.entries[$0].content.change }
  }

  /// Whether an object is deleted, which costs less than the change; nil if its row is unchanged.
  func isDeleted(_ id: ObjectID) -> Bool? {
    rows.position(of: id).map { position in
      // Without the buffer the change would be referenced.
      rows.entries.withUnsafeBufferPointer { Self.kind($0[position].content) == .deleted }
    }
  }

  /// Whether the row of an object is changed.
  func contains(_ id: ObjectID) -> Bool { rows.contains(id) }

  /// The changes in the order of their objects' IDs.
  var sorted: some Collection<Element> {
    rows.sortedPositions.lazy.map { [entries = rows.entries] position in
      (entries[position].id, entries[position].content.change)
    }
  }

  /// Makes room for the changes of a number of objects.
  mutating func reserveCapacity(_ count: Int) { rows.reserveCapacity(count) }

  /// Sets the change of an object.
  ///
  /// - Parameters:
  ///   - new: The change.
  ///   - id: The object.
  ///   - object: Its instance, if there is one; it is retained with the first change.
  /// - Returns: The former change; nil if there was none.
  mutating func set(
    _ new: Pending, for id: ObjectID, object: @autoclosure () -> ManagedObject? = nil
  ) -> Pending? {
    let count = rows.count
    let position = rows.position(of: id) { Row(change: new, object: object()) }
    if rows.count > count { return nil }
    return rows.change(at: position) { row in
      defer { row.change = new }
      return row.change
    }
  }

  /// Removes the change of an object, and returns it with the object that is no longer retained.
  mutating func remove(_ id: ObjectID) -> (change: Pending, object: ManagedObject?)? {
    rows.remove(id).map { ($0.change, $0.object) }
  }

  /// The value of an attribute of a new object; nil if the object is not new.
  func newValue(at index: Int, of id: ObjectID) -> Value? {
    guard case .inserted(let new) = self[id] else { return nil }
    return new[index]
  }

  /// Sets a value in the row of a new object where it is.
  ///
  /// - Parameters:
  ///   - index: The attribute's index.
  ///   - id: The object.
  ///   - value: The new value.
  /// - Returns: Whether it was another; nil if the object is not new, or its values may be
  ///   truncated.
  mutating func setInserted(_ index: Int, of id: ObjectID, to value: Value) -> Bool? {
    guard let position = rows.position(of: id) else { return nil }
    return rows.change(at: position) { $0.change.setInserted(index, to: value) }
  }

  /// Retains an object if it has unsaved changes.
  mutating func retain(_ object: ManagedObject) {
    guard let position = rows.position(of: object.objectID) else { return }
    rows.change(at: position) { $0.object = object }
  }

  /// The changed objects that somebody else references: all of them while somebody has a copy of
  /// this, such as an iterator.
  mutating func referencedIDs() -> Set<ObjectID> {
    var ids: Set<ObjectID> = []
    for position in 0..<rows.count {
      let isReferenced = rows.change(at: position) { row in
        row.object != nil && !isKnownUniquelyReferenced(&row.object)
      }
      if isReferenced { ids.insert(rows.entries[position].id) }
    }
    return ids
  }
}

extension PendingChanges: Sequence {
  typealias Element = (id: ObjectID, change: Pending)

  func makeIterator() -> some IteratorProtocol<Element> {
    rows.entries.lazy.map { ($0.id, $0.content.change) }.makeIterator()
  }
}

/// How a store differs from what a save was planned on, found inside the save's transaction.
///
/// Nothing is written then. A deletion that was shown to a person has to be planned and shown
/// again.
package struct SaveDifference: Hashable, Sendable {
  /// What the relationships of deleted objects gained and lost.
  package struct Destinations: Hashable, Sendable {
    /// The relationship of the deleted objects.
    package var relationship: RelationshipName
    /// Objects that were not destinations when the deletion was planned, by key.
    package var added: [ObjectID]
    /// Objects that are no longer destinations but still exist, by key.
    package var removed: [ObjectID]

    /// Creates a difference of a relationship.
    package init(relationship: RelationshipName, added: [ObjectID] = [], removed: [ObjectID] = []) {
      self.relationship = relationship
      self.added = added
      self.removed = removed
    }
  }

  /// Objects of the save whose row has another version.
  package var changed: [ObjectID]
  /// Objects of the save whose row no longer exists.
  package var deleted: [ObjectID]
  /// Objects to delete that no longer match the condition that they were chosen by, though their
  /// own rows are the same.
  package var unmatched: [ObjectID]
  /// What the relationships of deleted objects gained and lost, one for each relationship that
  /// differs.
  package var destinations: [Destinations]
  /// Objects whose ordered relationship, to which the save gives another order, has another one
  /// since, or other objects.
  package var reordered: [RelationshipName: [ObjectID]] = [:]

  /// Creates a difference; an empty one without arguments.
  package init(
    changed: [ObjectID] = [], deleted: [ObjectID] = [], unmatched: [ObjectID] = [],
    destinations: [Destinations] = []
  ) {
    self.changed = changed
    self.deleted = deleted
    self.unmatched = unmatched
    self.destinations = destinations
  }

  /// Whether the store is as it was when the save was planned.
  package var isEmpty: Bool {
    changed.isEmpty && deleted.isEmpty && unmatched.isEmpty && destinations.isEmpty
      && reordered.isEmpty
  }

  /// Every object that was changed or deleted, was added to or removed from a relationship, has
  /// other objects in an ordered one, or no longer matches the condition.
  package var objectIDs: [ObjectID] {
    changed + deleted + unmatched + destinations.flatMap { $0.added + $0.removed }
      + reordered.sorted { $0.key < $1.key }.flatMap(\.value)
  }
}

extension SaveDifference {
  /// Notes whether an object's row is as it was when its change or deletion was planned.
  ///
  /// - Parameters:
  ///   - id: The object.
  ///   - planned: The version that was planned on; nil for any.
  ///   - present: The version now; nil if the row no longer exists.
  package mutating func compare(_ id: ObjectID, planned: UInt64?, present: UInt64?) {
    guard let present else { return deleted.append(id) }
    if let planned, planned != present { changed.append(id) }
  }
}

extension SaveDifference: CustomStringConvertible {
  /// The difference in one line, as "2 Pet added to Person.pets, 1 Order changed"; empty for none.
  package var description: String { phrases.joined(separator: ", ") }

  /// A phrase for each kind of difference and entity: "2 Pet added to Person.pets".
  package var phrases: [String] {
    destinations.flatMap { difference in
      Self.counted(difference.added).map { "\($0) added to \(difference.relationship)" }
        + Self.counted(difference.removed).map { "\($0) removed from \(difference.relationship)" }
    } + Self.counted(changed).map { "\($0) changed" }
      + Self.counted(deleted).map { "\($0) deleted" }
      + Self.counted(unmatched).map { "\($0) no longer matching" }
      + reordered.sorted { $0.key < $1.key }.map {
        "\($0) reordered in \(Value.grouped($1.count)) \($0.entityName)"
      }
  }

  /// "2 Pet" for each entity, by name.
  private static func counted(_ ids: [ObjectID]) -> [String] {
    Dictionary(grouping: ids, by: \.entityName).sorted { $0.key < $1.key }.map {
      "\(Value.grouped($1.count)) \($0)"
    }
  }
}

extension SaveRequest {
  /// Compares what the request was planned on with the store, inside the transaction that is to
  /// write it.
  ///
  /// - Parameters:
  ///   - rows: How the rows of the objects to change and to delete differ: see
  ///     ``SaveDifference/compare(_:planned:present:)``.
  ///   - destinations: Reads where a relationship leads from objects of one entity now.
  ///   - matches: Fetches the objects that match the condition now.
  /// - Returns: The difference; empty when the request may be written.
  /// - Throws: What `destinations` and `matches` throw.
  package func difference(
    rows: SaveDifference,
    destinations: (RelationshipName, [ObjectID]) throws(StoreError) -> [ObjectID: [ObjectID]],
    matches: (FetchPlan) throws(StoreError) -> ObjectIDList
  ) throws(StoreError) -> SaveDifference {
    var difference = rows
    let gone = Set(difference.deleted)
    for (relationship, expected) in expectedDestinations.sorted(by: { $0.key < $1.key }) {
      let present = try destinations(relationship, Array(expected.keys))
      var (added, removed): (Set<ObjectID>, Set<ObjectID>) = ([], [])
      for (source, ids) in expected where present[source] ?? [] != ids && !gone.contains(source) {
        added.formUnion(Set(present[source] ?? []).subtracting(ids))
        removed.formUnion(Set(ids).subtracting(present[source] ?? []).subtracting(gone))
      }
      // The order of a relationship does not matter to what is deleted.
      if added.isEmpty, removed.isEmpty { continue }
      difference.destinations.append(
        .init(relationship: relationship, added: added.sorted(), removed: removed.sorted()))
    }
    for (relationship, expected) in expectedOrders {
      let present = try destinations(relationship, Array(expected.keys))
      let others = expected.filter { source, ids in
        !gone.contains(source) && present[source] ?? [] != ids
      }
      if !others.isEmpty { difference.reordered[relationship] = others.keys.sorted() }
    }
    if let selection {
      let matching = try matches(selection.plan)
      // Nearly always they are the same in the same order, and no set is needed.
      if !matching.elementsEqual(selection.ids) {
        var unmatched = Set(selection.ids)
        for id in matching { unmatched.remove(id) }
        difference.unmatched =
          unmatched.subtracting(difference.changed).subtracting(difference.deleted).sorted()
      }
    }
    return difference
  }
}

extension StoreError {
  /// The error for a save that the store no longer fits.
  ///
  /// - Parameters:
  ///   - difference: How the store differs.
  ///   - doing: What was being done, as "saving 3 objects".
  package init(_ difference: SaveDifference, doing: String) {
    self.init(
      .conflict, doing: doing, detail: difference.description, objectIDs: difference.objectIDs)
    self.difference = difference
  }
}

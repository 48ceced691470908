/// Everything that one save writes, in one transaction.
public struct SaveRequest: Hashable, Sendable {
  /// Objects to insert.
  public var inserted: [RowChange]
  /// Objects to update.
  public var updated: [RowChange]
  /// Objects to delete, including cascades.
  public var deleted: [RowDeletion]
  /// Links of many-to-many relationships to insert.
  public var linked: [ObjectLink]
  /// Links of many-to-many relationships to delete.
  public var unlinked: [ObjectLink]
  /// The destinations that relationships of the deleted objects had in the store when the deletion
  /// was planned, by source.
  ///
  /// The store compares them, in any order, before it writes anything; a difference is a conflict.
  /// An empty array expects no destinations; sources that are missing are not compared.
  public var expectedDestinations: [RelationshipName: [ObjectID: [ObjectID]]]
  /// The objects of ordered relationships that get another order, as they were in the store when it
  /// was chosen, by source.
  ///
  /// The store compares them, in order, before it writes anything; a difference is a conflict.
  package var expectedOrders: [RelationshipName: [ObjectID: [ObjectID]]] = [:]
  /// The condition that deleted objects were chosen by; nil if they were chosen one by one.
  ///
  /// The store evaluates it before it writes anything; objects that no longer match are a conflict.
  public var selection: Selection?

  /// Whether the result has the rows of the deleted objects, so that they can be inserted again.
  ///
  /// Without them deleting very many objects takes much less memory.
  package var returnsDeletedRows = true

  /// The inserted and updated objects whose rows the result must contain; nil for all.
  ///
  /// The rows of others may be omitted if they are stored exactly as they were written. A save of
  /// very many objects takes much less memory then.
  package var returnedRows: Set<ObjectID>?

  /// Whether the objects that relationships lead to must exist when the save ends; not where later
  /// saves of the same transaction insert them.
  package var checksDestinations = true

  /// Whether the result has rows at all; not where none are kept, as in an import.
  package var returnsRows = true

  /// Temporary IDs that get a key in the result, without a row: a later save inserts their objects
  /// with the IDs that they have by then.
  ///
  /// This store gives the keys to no other object. Another process may, if the store's file does not
  /// count its keys; that save is refused.
  package var reserved: [ObjectID] = []

  /// Objects to delete, and the fetch that returned them.
  public struct Selection: Hashable, Sendable {
    /// The fetch.
    public var plan: FetchPlan
    /// The objects that it must still return.
    public var ids: [ObjectID]

    /// Creates a selection.
    ///
    /// - Parameters:
    ///   - plan: The fetch.
    ///   - ids: The objects that it must still return.
    package init(plan: FetchPlan, ids: [ObjectID]) {
      self.plan = plan
      self.ids = ids
    }
  }

  /// Creates a request.
  public init(
    inserted: [RowChange] = [], updated: [RowChange] = [], deleted: [RowDeletion] = [],
    linked: [ObjectLink] = [], unlinked: [ObjectLink] = [],
    expectedDestinations: [RelationshipName: [ObjectID: [ObjectID]]] = [:],
    selection: Selection? = nil
  ) {
    self.inserted = inserted
    self.updated = updated
    self.deleted = deleted
    self.linked = linked
    self.unlinked = unlinked
    self.expectedDestinations = expectedDestinations
    self.selection = selection
  }

  /// The description of the save, for errors.
  package var phrase: String { Self.phrase(count: count) }

  /// The number of objects that are inserted, updated or deleted.
  package var count: Int { inserted.count + updated.count + deleted.count }

  /// The description of a save of a number of objects.
  package static func phrase(count: Int) -> String {
    count == 1 ? "saving 1 object" : "saving \(count) objects"
  }
}

extension SaveRequest {
  /// The entities of the inserted, updated and deleted objects.
  package var entityNames: Set<String> {
    insertedEntityNames.union(updatedEntityNames).union(deletedEntityNames)
  }

  /// The entities of the inserted objects.
  package var insertedEntityNames: Set<String> {
    Self.entityNames(inserted.count) { inserted[$0].id }
  }

  /// The entities of the updated objects.
  package var updatedEntityNames: Set<String> { Self.entityNames(updated.count) { updated[$0].id } }

  /// The entities of the deleted objects.
  package var deletedEntityNames: Set<String> { Self.entityNames(deleted.count) { deleted[$0].id } }

  /// The entities of a number of objects, of which consecutive ones are mostly of the same.
  private static func entityNames(_ count: Int, _ id: (Int) -> ObjectID) -> Set<String> {
    var names: Set<String> = []
    for index in 0..<count where index == 0 || !id(index).hasScope(of: id(index - 1)) {
      names.insert(id(index).entityName)
    }
    return names
  }
}

/// An object to insert or update.
public struct RowChange: Hashable, Sendable {
  /// The object.
  ///
  /// An inserted object with a permanent ID was deleted before: it gets its old key again.
  public var id: ObjectID
  /// The version of the row that was changed; nil for an inserted object.
  ///
  /// A row that has a different version is a conflict.
  public var version: UInt64?
  /// Stored values by attribute name: all that were set of a new object, nulls among them, all of an
  /// object that was deleted before, the changed ones of an updated object.
  ///
  /// An attribute of an inserted object that is not among them gets the default of its column.
  public var values: ChangedValues
  /// New destinations of to-one relationships, by relationship name; nil removes the destination.
  ///
  /// A relationship whose foreign key is an attribute of the entity is changed in ``values``.
  public var toOne: [String: ObjectID?]
  /// The values of columns that belong to no property, of an object that was deleted before: see
  /// ``RowSnapshot/otherColumns``.
  package var otherColumns: [String: Value]
  /// The to-one relationships whose destination need not exist, because it did not when the object
  /// was deleted before: see ``SaveResult/missingDestinations``.
  package var missingDestinations: Set<String>

  /// Creates a change.
  package init(
    id: ObjectID, version: UInt64? = nil, values: ChangedValues = [:],
    toOne: [String: ObjectID?] = [:], otherColumns: [String: Value] = [:],
    missingDestinations: Set<String> = []
  ) {
    self.id = id
    self.version = version
    self.values = values
    self.toOne = toOne
    self.otherColumns = otherColumns
    self.missingDestinations = missingDestinations
  }
}

extension RowChange {
  /// Whether a row that was read has exactly the values of this new one, which costs little for one
  /// that was read before.
  package func isStored(as row: RowSnapshot) -> Bool {
    guard let written = values.row?.values, row.isWhole else { return false }
    return written.hasSameBytes(as: row.values)
  }
}

/// An object to delete.
public struct RowDeletion: Hashable, Sendable {
  /// The object.
  public var id: ObjectID
  /// The version that the deletion was planned on; nil deletes any version.
  public var version: UInt64?

  /// Creates a deletion.
  package init(id: ObjectID, version: UInt64? = nil) {
    self.id = id
    self.version = version
  }
}

/// One link of a many-to-many relationship.
public struct ObjectLink: Hashable, Sendable {
  /// The relationship, by its name in the source's entity.
  public var relationshipName: String
  /// The object at this end.
  public var source: ObjectID
  /// The object at the other end.
  public var destination: ObjectID

  /// Creates a link.
  package init(_ relationshipName: String, from source: ObjectID, to destination: ObjectID) {
    self.relationshipName = relationshipName
    self.source = source
    self.destination = destination
  }
}

/// Everything that one save writes, in one transaction.
public struct SaveRequest: Hashable, Sendable {
  /// Objects to put in.
  public var inserted: [RowChange]
  /// Objects to change.
  public var updated: [RowChange]
  /// Objects to take out, cascades included.
  public var deleted: [RowDeletion]
  /// Links of many-to-many relationships to put in.
  public var linked: [ObjectLink]
  /// Links of many-to-many relationships to take out.
  public var unlinked: [ObjectLink]
  /// Where relationships of the objects to take out led in the store when the deletion was planned, by source.
  ///
  /// The store compares them, in any order, before it writes anything; a difference is a conflict. An empty list
  /// expects that a relationship leads nowhere; of a source that is missing nothing is expected.
  public var expectedDestinations: [RelationshipName: [ObjectID: [ObjectID]]]

  /// Makes a request.
  ///
  /// - Parameters:
  ///   - inserted: Objects to put in.
  ///   - updated: Objects to change.
  ///   - deleted: Objects to take out.
  ///   - linked: Links to put in.
  ///   - unlinked: Links to take out.
  ///   - expectedDestinations: Where relationships of the objects to take out led when that was planned.
  public init(
    inserted: [RowChange] = [], updated: [RowChange] = [], deleted: [RowDeletion] = [],
    linked: [ObjectLink] = [], unlinked: [ObjectLink] = [],
    expectedDestinations: [RelationshipName: [ObjectID: [ObjectID]]] = [:]
  ) {
    self.inserted = inserted
    self.updated = updated
    self.deleted = deleted
    self.linked = linked
    self.unlinked = unlinked
    self.expectedDestinations = expectedDestinations
  }
}

/// What is written of one object.
public struct RowChange: Hashable, Sendable {
  /// The object.
  ///
  /// A permanent ID among the inserted ones is an object put back: it gets its old key again.
  public var id: ObjectID
  /// The version that the change was made on; nil for an inserted object.
  ///
  /// A row with another version is a conflict.
  public var version: UInt64?
  /// Stored values by attribute name: all that are not null for an inserted object, the changed ones for another.
  public var values: [String: Value]
  /// Destinations by the name of the to-one relationship, where it has no foreign-key attributes.
  ///
  /// Nil sets it to null.
  public var toOne: [String: ObjectID?]
  /// What stood in columns that no property shows, of an object put back: ``RowSnapshot/otherColumns``.
  public var otherColumns: [String: Value]

  /// Makes a change.
  ///
  /// - Parameters:
  ///   - id: The object.
  ///   - version: The version that the change was made on.
  ///   - values: Stored values by attribute name.
  ///   - toOne: Destinations by the name of the to-one relationship.
  ///   - otherColumns: What stood in columns that no property shows.
  public init(
    id: ObjectID, version: UInt64? = nil, values: [String: Value] = [:],
    toOne: [String: ObjectID?] = [:], otherColumns: [String: Value] = [:]
  ) {
    self.id = id
    self.version = version
    self.values = values
    self.toOne = toOne
    self.otherColumns = otherColumns
  }
}

/// An object to take out.
public struct RowDeletion: Hashable, Sendable {
  /// The object.
  public var id: ObjectID
  /// The version that the deletion was planned on; nil deletes any version.
  public var version: UInt64?

  /// Makes a deletion.
  ///
  /// - Parameters:
  ///   - id: The object.
  ///   - version: The version that the deletion was planned on.
  public init(id: ObjectID, version: UInt64? = nil) {
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

  /// Makes a link.
  ///
  /// - Parameters:
  ///   - relationshipName: The relationship's name in the source's entity.
  ///   - source: The object at this end.
  ///   - destination: The object at the other end.
  public init(_ relationshipName: String, from source: ObjectID, to destination: ObjectID) {
    self.relationshipName = relationshipName
    self.source = source
    self.destination = destination
  }
}

/// A relationship and how its destinations are stored.
package struct RelationshipInfo: Sendable {
  package enum Kind: Sendable {
    /// In the source's row.
    case toOne
    /// In the inverse to-one relationship of each destination.
    case toManyByInverse
    /// In links, as a many-to-many relationship.
    case links
  }

  package let description: RelationshipDescription
  package let entityName: String
  package let kind: Kind
  package let inverse: RelationshipDescription?
  /// Whether links are saved from this end, and not from the other.
  package let isCanonical: Bool

  package init(
    _ description: RelationshipDescription, of entity: EntityDescription,
    in model: ManagedObjectModel
  ) {
    self.description = description
    entityName = entity.name
    let destination = model.entity(named: description.destinationEntityName)
    inverse = description.inverseName.flatMap { destination?.relationship(named: $0) }
    kind =
      if !description.isToMany { .toOne } else if inverse?.isToMany == false {
        .toManyByInverse
      } else { .links }
    isCanonical =
      switch inverse {
      case nil: true
      case .some(let inverse) where inverse.isOrdered != description.isOrdered:
        description.isOrdered
      case .some(let inverse):
        (description.name, inverse.destinationEntityName)
          <= (inverse.name, description.destinationEntityName)
      }
  }

  package var name: String { description.name }

  /// The name with its entity, "Person.pets".
  package var fullName: RelationshipName { RelationshipName(name, of: entityName) }

  /// Whether destinations stay, and nothing else leads to them by it, when the source is deleted: a
  /// to-many relationship without inverse.
  package var leavesDestinations: Bool {
    kind == .links && inverse == nil && [.nullify, .noAction].contains(description.deleteRule)
  }

  /// Whether it is its own inverse, as "friends" can be.
  package var isSymmetric: Bool {
    inverse?.name == name && inverse?.destinationEntityName == description.destinationEntityName
      && kind == .links
  }
}

/// One end of a relationship: an object and the name of its relationship.
package struct RelationshipEnd: Hashable, Sendable {
  package let id: ObjectID
  package let name: String

  package init(_ id: ObjectID, _ name: String) {
    self.id = id
    self.name = name
  }
}

extension RelationshipEnd: Comparable {
  package static func < (lhs: RelationshipEnd, rhs: RelationshipEnd) -> Bool {
    lhs.id == rhs.id ? lhs.name < rhs.name : lhs.id < rhs.id
  }
}

extension EntityDescription {
  /// The indexes of the attributes that are the foreign key of a to-one relationship; empty if an
  /// attribute of it is missing.
  package func foreignKeyIndexes(of relationship: RelationshipDescription) -> [Int] {
    let indexes = relationship.foreignKeyAttributes.map(attributeIndex)
    return indexes.contains(nil) ? [] : indexes.compactMap(\.self)
  }
}

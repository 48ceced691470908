import ObjectModel

/// What a context looks up of an entity again and again, worked out once.
final class EntityInfo: Sendable {
  let entity: EntityDescription
  let relationships: [String: RelationshipInfo]
  /// The to-one relationships, in the order in which a snapshot holds their destinations.
  let toOne: [RelationshipInfo]
  /// The places of the foreign-key attributes of each to-one relationship, in the same order.
  let foreignKeys: [[Int]]
  /// The to-one relationships that an attribute is a foreign key of, by the attribute's place.
  let references: [Int: [Int]]
  let keyAttributes: Set<Int>
  /// The places of attributes that a person must set.
  let requiredAttributes: [Int]
  /// The rules on values that can be checked, by the attribute's place.
  let rules: [Int: [ValueRule]]

  init(_ entity: EntityDescription, in model: ManagedObjectModel) {
    self.entity = entity
    let all = entity.relationships.map { RelationshipInfo($0, of: entity, in: model) }
    relationships = Dictionary(
      all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    toOne = all.filter { !$0.description.isToMany }
    foreignKeys = toOne.map { relationship in
      let places = relationship.description.foreignKeyAttributes.map(entity.attributeIndex)
      return places.contains(nil) ? [] : places.compactMap(\.self)
    }
    references = foreignKeys.enumerated().reduce(into: [:]) { references, pair in
      for attribute in pair.element { references[attribute, default: []].append(pair.offset) }
    }
    keyAttributes = Set(entity.keyAttributes.compactMap(entity.attributeIndex))
    rules = entity.attributes.enumerated().reduce(into: [:]) { rules, pair in
      let own = pair.element.details.property.validations.compactMap(ValueRule.init)
      if !own.isEmpty, !pair.element.isReadOnly { rules[pair.offset] = own }
    }
    requiredAttributes = entity.attributes.indices.filter {
      !entity.attributes[$0].isOptional && !entity.attributes[$0].isReadOnly
    }
  }
}

/// A relationship and how its contents are kept.
struct RelationshipInfo: Sendable {
  enum Kind: Sendable {
    /// In a place of the source's row.
    case toOne
    /// In the to-one relationship back of each destination.
    case toManyByInverse
    /// In links of their own.
    case links
  }

  let description: RelationshipDescription
  let entityName: String
  let kind: Kind
  let inverse: RelationshipDescription?
  /// Whether the links of this end are told to a store, and not those of the other.
  let isCanonical: Bool

  init(
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

  var name: String { description.name }

  /// The name with its entity, "Person.pets".
  var fullName: RelationshipName { RelationshipName(name, of: entityName) }

  /// Whether it is its own inverse, as "friends" can be.
  var isSymmetric: Bool {
    inverse?.name == name && inverse?.destinationEntityName == description.destinationEntityName
      && kind == .links
  }
}

/// One end of a relationship: an object and the relationship's name there.
struct RelationshipEnd: Hashable, Sendable {
  let id: ObjectID
  let name: String

  init(_ id: ObjectID, _ name: String) {
    self.id = id
    self.name = name
  }
}

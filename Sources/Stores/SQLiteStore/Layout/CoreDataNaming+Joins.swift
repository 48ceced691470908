import ObjectModel

extension CoreDataNaming {
  /// The join table of a many-to-many relationship: core-data-stores 4.4.
  struct Join: Hashable {
    /// One of the two relationships.
    struct Side: Hashable {
      /// The entity that declares the relationship.
      let owner: String
      let relationship: String
      /// The column of the relationship's destinations.
      let column: String
      /// The column without its clash suffix, which real stores may have at the other column.
      let plainColumn: String
      /// The column of their order keys; nil if the relationship is not ordered.
      let orderColumn: String?
      /// The name of the table if this side names it.
      let tableName: String
    }

    /// The side that names the table of a new store.
    let first: Side
    /// The other side; equal to the first for a reflexive relationship.
    let second: Side

    /// Whether the relationship is its own inverse.
    ///
    /// The column of its owners is ``reflexiveColumn`` then.
    var isReflexive: Bool {
      first.owner == second.owner && first.relationship == second.relationship
    }
    /// The possible names of the table, the likelier first.
    var tableNames: [String] {
      isReflexive ? [first.tableName] : [first.tableName, second.tableName]
    }
    /// The column of the owners in the join table of a reflexive relationship.
    static let reflexiveColumn = "REFLEXIVE"
  }

  /// The join tables of all many-to-many relationships, each once.
  var joins: [Join] {
    var joins: [Join] = []
    var seen: Set<[String]> = []
    let suffixes = joinSuffixes
    for entity in model.entities.sorted(by: { number(of: $0.name) < number(of: $1.name) }) {
      for relationship in entity.relationships
      where owner(of: relationship.name, in: entity).name == entity.name {
        guard let (inverse, destination) = manyInverse(of: relationship) else { continue }
        let here = side(relationship, of: entity, suffixes)
        let there = side(inverse, of: destination, suffixes)
        guard seen.insert([here.owner, here.relationship]).inserted,
          here == there || seen.insert([there.owner, there.relationship]).inserted
        else { continue }
        if here.owner == there.owner {
          joins.append(
            isNamed(by: there, not: here)
              ? Join(first: there, second: here) : Join(first: here, second: there))
          continue
        }
        let isFirst =
          hasSubentities(here.owner) == hasSubentities(there.owner)
          ? number(of: here.owner) <= number(of: there.owner) : hasSubentities(here.owner)
        joins.append(
          isFirst ? Join(first: here, second: there) : Join(first: there, second: here))
      }
    }
    return joins
  }

  /// Whether the later of two relationships from an entity to itself names the table: in real stores
  /// either does.
  private func isNamed(by later: Join.Side, not first: Join.Side) -> Bool {
    let isNamer = [first, later].map {
      namers.contains(RelationshipName($0.relationship, of: $0.owner))
    }
    if isNamer[0] != isNamer[1] { return isNamer[1] }
    return later.orderColumn != nil && first.orderColumn == nil
  }

  /// The to-many inverse of a to-many, and the entity that declares it; nil if there is none.
  private func manyInverse(of relationship: RelationshipDescription) -> (
    RelationshipDescription, EntityDescription
  )? {
    guard relationship.isToMany,
      let destination = model.entity(named: relationship.destinationEntityName),
      let inverse = model.inverse(of: relationship), inverse.isToMany
    else { return nil }
    return (inverse, owner(of: inverse.name, in: destination))
  }

  private func side(
    _ relationship: RelationshipDescription, of owner: EntityDescription,
    _ suffixes: [[String]: Int]
  ) -> Join.Side {
    let capitals = relationship.name.uppercased()
    let plain = "\(number(of: relationship.destinationEntityName))\(capitals)"
    let suffix = suffixes[[owner.name, relationship.name]].map(String.init) ?? ""
    return Join.Side(
      owner: owner.name, relationship: relationship.name, column: "Z_\(plain)\(suffix)",
      plainColumn: "Z_\(plain)",
      orderColumn: relationship.isOrdered ? "Z_FOK_\(plain)\(suffix)" : nil,
      tableName: "Z_\(number(of: owner.name))\(capitals)")
  }

  /// The suffixes of columns whose names clash: from the second on, in the order of the inverses'
  /// names.
  private var joinSuffixes: [[String]: Int] {
    var alike: [String: [(inverse: String, side: [String])]] = [:]
    for entity in model.entities {
      for relationship in entity.relationships
      where owner(of: relationship.name, in: entity).name == entity.name {
        guard let (inverse, _) = manyInverse(of: relationship) else { continue }
        let name = "\(relationship.destinationEntityName)\u{0}\(relationship.name.uppercased())"
        alike[name, default: []].append((inverse.name, [entity.name, relationship.name]))
      }
    }
    var suffixes: [[String]: Int] = [:]
    for sides in alike.values where sides.count > 1 {
      let ordered = sides.sorted { ($0.inverse, $0.side[0]) < ($1.inverse, $1.side[0]) }
      for (index, side) in ordered.enumerated().dropFirst() { suffixes[side.side] = index }
    }
    return suffixes
  }
}

import ObjectModel

extension CoreDataNaming {
  /// The table of a many-to-many relationship (core-data-stores 4.4).
  struct Join: Hashable {
    /// One of its two relationships.
    struct Side: Hashable {
      /// The entity that declares the relationship.
      let owner: String
      let relationship: String
      /// The column of the objects that the relationship leads to.
      let column: String
      /// The same without a number after it, which real stores have at either column of a pair.
      let plainColumn: String
      /// The column of their order; nil when they have none.
      let orderColumn: String?
      /// How the table is called when it is named after this side.
      let tableName: String
    }

    /// The side that names the table in a new store.
    let first: Side
    /// The other side; the same for a relationship that is its own inverse.
    let second: Side

    /// Whether the relationship is its own inverse: its owners' column is then called ``reflexiveColumn``.
    var isReflexive: Bool {
      first.owner == second.owner && first.relationship == second.relationship
    }
    /// The names that the table may have, the likelier first.
    var tableNames: [String] {
      isReflexive ? [first.tableName] : [first.tableName, second.tableName]
    }
    /// The column of the owners in the table of a relationship that is its own inverse.
    static let reflexiveColumn = "REFLEXIVE"
  }

  /// The tables of all many-to-many relationships, each once.
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
        let isFirst =
          hasSubentities(here.owner) == hasSubentities(there.owner)
          ? number(of: here.owner) <= number(of: there.owner) : hasSubentities(here.owner)
        joins.append(
          isFirst ? Join(first: here, second: there) : Join(first: there, second: here))
      }
    }
    return joins
  }

  /// The to-many inverse of a to-many, and the entity that declares it; nil when there is none.
  private func manyInverse(of relationship: RelationshipDescription) -> (
    RelationshipDescription, EntityDescription
  )? {
    guard relationship.isToMany,
      let destination = model.entity(named: relationship.destinationEntityName),
      let inverse = relationship.inverseName.flatMap({ destination.relationship(named: $0) }),
      inverse.isToMany
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

  /// The numbers of columns that would be called alike: those after the first, in the order of the inverses' names.
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
      for (place, side) in ordered.enumerated().dropFirst() { suffixes[side.side] = place }
    }
    return suffixes
  }
}

import ObjectModel
import SQLQueries

extension CoreDataNaming {
  /// The columns of a root entity's table, without Z_PK, Z_ENT and Z_OPT: core-data-stores 4.2.
  ///
  /// - Parameter root: The name of an entity without a superentity.
  /// - Returns: The columns, in the order of the entity numbers of their owners.
  func columns(of root: String) -> [Column] {
    var columns: [Column] = []
    // The clash rule of core-data-stores 4.2: a name in upper case that earlier entities have used
    // gets their number as its suffix.
    var counts: [String: Int] = [:]
    func stem(_ name: String) -> String {
      let earlier = counts[name, default: 0]
      counts[name] = earlier + 1
      return earlier == 0 ? name : "\(name)\(earlier)"
    }
    for entity in family(of: root) {
      for attribute in model.ownAttributes(of: entity) {
        columns.append(
          Column(
            name: "Z" + stem(Self.capitals(of: attribute)), owner: entity.name,
            property: attribute.name, role: .attribute))
      }
      for relationship in model.ownRelationships(of: entity) where !relationship.isToMany {
        let stem = stem(relationship.name.uppercased())
        columns += toOne(relationship, of: entity.name, stem: stem)
      }
    }
    return columns + hiddenColumns(of: root)
  }

  private func family(of root: String) -> [EntityDescription] {
    model.entityNames(inheritingFrom: root).sorted { number(of: $0) < number(of: $1) }
      .compactMap { model.entity(named: $0) }
  }

  private func toOne(_ relationship: RelationshipDescription, of owner: String, stem: String)
    -> [Column]
  {
    let destination = relationship.destinationEntityName
    func column(_ name: String, _ role: Role) -> Column {
      Column(name: name, owner: owner, property: relationship.name, role: role)
    }
    var columns = [column("Z\(stem)", .toOne)]
    if hasSubentities(destination) {
      columns.append(column("Z\(number(of: destination))_\(stem)", .entity))
    }
    let inverse = model.inverse(of: relationship)
    if inverse?.isToMany == true, inverse?.isOrdered == true {
      columns.append(column("Z_FOK_\(stem)", .order))
    }
    return columns
  }

  /// The hidden columns: foreign keys of to-many relationships without an inverse.
  private func hiddenColumns(of root: String) -> [Column] {
    model.entities.sorted { number(of: $0.name) < number(of: $1.name) }.flatMap { entity in
      entity.relationships.filter {
        $0.isToMany && $0.inverseName == nil && self.root(of: $0.destinationEntityName) == root
          && owner(of: $0.name, in: entity).name == entity.name
      }.flatMap { relationship in
        let stem = "\(number(of: entity.name))\(relationship.name.uppercased())"
        let column = Column(
          name: "Z\(stem)", owner: entity.name, property: relationship.name, role: .hidden)
        guard relationship.isOrdered else { return [column] }
        return [
          column,
          Column(
            name: "Z_FOK_\(stem)", owner: entity.name, property: relationship.name, role: .order),
        ]
      }
    }
  }

  /// An attribute's name in upper case, independent of the locale; for a composite's element, the
  /// last component of its key path.
  private static func capitals(of attribute: AttributeDescription) -> String {
    guard attribute.details.compositeName != nil,
      let leaf = attribute.name.split(separator: ".").last
    else { return attribute.name.uppercased() }
    return leaf.uppercased()
  }
}

import ObjectModel

extension CoreDataNaming {
  /// The columns of a root entity's table, beside its key, entity and version (core-data-stores 4.2).
  ///
  /// - Parameter root: The name of an entity that inherits from none.
  /// - Returns: The columns by the numbers of the entities that declare their properties.
  func columns(of root: String) -> [Column] {
    var columns: [Column] = []
    // A name that an earlier entity has had is followed by a number; what is counted are names in capitals.
    var counts: [String: Int] = [:]
    func stem(_ name: String) -> String {
      let earlier = counts[name, default: 0]
      counts[name] = earlier + 1
      return earlier == 0 ? name : "\(name)\(earlier)"
    }
    for entity in family(of: root) {
      let above = entity.superentityName.flatMap { model.entity(named: $0) }
      func isOwn(_ name: String) -> Bool {
        above?.attribute(named: name) == nil && above?.relationship(named: name) == nil
      }
      for attribute in entity.attributes where isOwn(attribute.name) {
        columns.append(
          Column(
            name: "Z" + stem(Self.capitals(of: attribute)), owner: entity.name,
            property: attribute.name, role: .attribute))
      }
      for relationship in entity.toOneRelationships where isOwn(relationship.name) {
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
    let inverse = relationship.inverseName.flatMap {
      model.entity(named: destination)?.relationship(named: $0)
    }
    if inverse?.isToMany == true, inverse?.isOrdered == true {
      columns.append(column("Z_FOK_\(stem)", .order))
    }
    return columns
  }

  /// The columns of to-many relationships without an inverse that lead into the table.
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

  /// An attribute's name in capitals, whatever the language of the machine; of a composite's leaf the last part of its path.
  private static func capitals(of attribute: AttributeDescription) -> String {
    guard attribute.details.compositeName != nil,
      let leaf = attribute.name.split(separator: ".").last
    else { return attribute.name.uppercased() }
    return leaf.uppercased()
  }
}

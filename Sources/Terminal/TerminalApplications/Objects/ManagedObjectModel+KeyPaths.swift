package import ObjectModel

extension ManagedObjectModel {
  /// The attribute at the end of a key path of an entity, through to-one relationships, and the
  /// entity that has it; nil if there is none.
  package func attribute(at keyPath: String, from entity: EntityDescription)
    -> (attribute: AttributeDescription, owner: EntityDescription)?
  {
    var owner = entity
    let steps = KeyPathText.components(of: keyPath) ?? []
    for step in steps.dropLast() {
      guard let relationship = owner.relationship(named: step), !relationship.isToMany,
        let next = self.entity(named: relationship.destinationEntityName)
      else { return nil }
      owner = next
    }
    return steps.last.flatMap { owner.attribute(named: $0) }.map { ($0, owner) }
  }
}

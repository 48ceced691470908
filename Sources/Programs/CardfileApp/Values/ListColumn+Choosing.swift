import ObjectModel

extension ListColumn {
  /// All columns that a list of an entity can have: attributes, then relationships.
  ///
  /// An attribute that is a foreign key is shown as the object that it leads to.
  static func all(of entity: EntityDescription, sample: ListSample, hiding hidden: String?)
    -> [ListColumn]
  {
    let foreignKeys = Set(entity.toOneRelationships.flatMap(\.foreignKeyAttributes))
    let attributes = entity.attributes.filter { !foreignKeys.contains($0.name) }
    return attributes.map { ListColumn(.attribute($0), sample: sample) }
      + entity.toOneRelationships.filter { $0.name != hidden }.map { ListColumn(.toOne($0)) }
      + entity.relationships.filter { $0.isToMany && $0.name != hidden }
      .map { ListColumn(.toMany($0)) }
  }

  /// The column of a property; nil if the entity has none with this name.
  init?(named name: String, of defaults: ListDefaults, width: Int? = nil) {
    let entity = defaults.entity
    if let attribute = entity.attribute(named: name) {
      self.init(.attribute(attribute), sample: defaults.sample)
    } else if let relationship = entity.relationship(named: name) {
      self.init(relationship.isToMany ? .toMany(relationship) : .toOne(relationship))
    } else {
      return nil
    }
    self.width = width
  }

  /// The columns that a list shows until others are chosen, as far as they tell objects apart, in
  /// the order in which a person asks for them.
  ///
  /// - Parameters:
  ///   - defaults: The entity's defaults.
  ///   - hidden: The relationship that leads all rows to the same object; nil for none.
  /// - Returns: One column at least, if the entity has any attribute or object.
  static func defaults(_ defaults: ListDefaults, hiding hidden: String?) -> [ListColumn] {
    ColumnOrder(defaults, hiding: hidden).sources
      .map { ListColumn($0, sample: defaults.sample) }
  }
}

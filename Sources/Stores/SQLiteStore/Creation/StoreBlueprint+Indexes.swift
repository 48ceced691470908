import ObjectModel

extension StoreBlueprint {
  /// Adds the indexes that an entity declares; those of the old form only if the model has no fetch
  /// indexes, as in Core Data.
  ///
  /// Spatial and partial indexes and those of expressions are left out: they only save time.
  mutating func addFetchIndexes(of entity: EntityDescription) {
    let isNew = topology.model.entities.contains { !$0.details.fetchIndexes.isEmpty }
    let indexes = isNew ? entity.details.fetchIndexes.compactMap(\.plain) : entity.oldIndexes
    let model = topology.model
    let inherited = model.superentity(of: entity)?.oldIndexes ?? []
    for index in indexes where isNew || !inherited.contains(index) {
      let names = index.map(\.name)
      // A foreign key and a uniqueness constraint have an index already.
      if names.count == 1, entity.relationship(named: names[0]) != nil { continue }
      if entity.uniquenessConstraints.contains(names) { continue }
      let list = index.compactMap { element in
        columns[entity.name]?[element.name].map { ($0, element.isAscending) }
      }
      guard !list.isEmpty, list.count == index.count else { continue }
      addIndex(
        on: list.map(\.0), of: topology.root(of: entity.name),
        descending: Set(list.filter { !$0.1 }.map(\.0)))
    }
  }
}

/// A property of an index.
private struct IndexedProperty: Hashable {
  var name: String
  var isAscending = true
}

extension FetchIndexDescription {
  /// The properties; nil unless they are all that the index consists of.
  fileprivate var plain: [IndexedProperty]? {
    guard partialPredicate == nil,
      elements.allSatisfy({ $0.kind == .binary && !$0.isExpression })
    else { return nil }
    return elements.map { IndexedProperty(name: $0.property, isAscending: $0.isAscending) }
  }
}

extension EntityDescription {
  /// The indexes of models from before iOS 11 and macOS 10.13, inherited ones included.
  fileprivate var oldIndexes: [[IndexedProperty]] {
    attributes.filter(\.details.property.isIndexed).map { [IndexedProperty(name: $0.name)] }
      + details.compoundIndexes.map { $0.map { IndexedProperty(name: $0) } }
  }
}

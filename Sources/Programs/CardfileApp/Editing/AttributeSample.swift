import ObjectModel

/// The values of an attribute in some objects of the store, read in a short time.
nonisolated enum AttributeSample {
  /// How long the objects are looked for, in seconds.
  private static let timeLimit = 0.3

  /// Reads values.
  ///
  /// - Parameters:
  ///   - attribute: The attribute.
  ///   - entity: The entity of the objects.
  ///   - predicate: The condition of the objects; nil for all.
  ///   - limit: The number of objects that are looked at.
  ///   - store: The store.
  /// - Returns: A value for each object, nil for one that is too long to be read whole; empty if
  ///   reading fails or takes long.
  static func values(
    of attribute: AttributeDescription, in entity: EntityDescription,
    where predicate: ValidatedPredicate? = nil, limit: Int, store: any PersistentStore
  ) -> [Value?] {
    let plan = FetchPlan(entityName: entity.name, predicate: predicate, limit: limit)
    guard let place = entity.attributeIndex(attribute.name),
      let ids = try? store.fetch(plan, control: FetchControl(timeLimit: timeLimit)).ids,
      let rows = try? store.snapshots(of: Array(ids))
    else { return [] }
    return rows.values.filter { $0.values.indices.contains(place) }.map { row in
      row.cutLengths[place] == nil ? attribute.decode(row.values[place]) : nil
    }
  }
}

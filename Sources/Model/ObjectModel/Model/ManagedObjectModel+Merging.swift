extension ManagedObjectModel {
  /// Merges models into one, as `NSManagedObjectModel(byMerging:)` does.
  ///
  /// - Parameter models: The models. An entity that several have alike is kept once.
  /// - Throws: ``ModelError`` if two declare an entity differently.
  public init(merging models: [ManagedObjectModel]) throws(ModelError) {
    var entities: [EntityDescription] = []
    var details = ModelDetails()
    for model in models {
      for entity in model.entities {
        guard let known = entities.first(where: { $0.name == entity.name }) else {
          entities.append(entity)
          continue
        }
        let differences = ManagedObjectModel(entities: [entity])
          .differences(from: ManagedObjectModel(entities: [known]))
        if let difference = differences.first {
          throw ModelError(.mergeConflict(entity: entity.name, difference: difference))
        }
      }
      details.configurations.merge(model.details.configurations) { first, second in
        first + second.filter { !first.contains($0) }
      }
      details.fetchRequestTemplates.merge(model.details.fetchRequestTemplates) { first, _ in first }
      details.versionIdentifiers += model.details.versionIdentifiers
    }
    details.versionIdentifiers = Set(details.versionIdentifiers).sorted()
    self.init(entities: entities, details: details)
  }
}

extension ManagedObjectModel {
  /// The model of the entities of a configuration.
  ///
  /// - Parameter configuration: The name of the configuration.
  /// - Returns: The model, with the relationships that lead out of it, which no store can have; nil if
  ///   there is no such configuration.
  package func part(_ configuration: String) -> ManagedObjectModel? {
    guard let names = details.configurations[configuration].map(Set.init) else { return nil }
    return ManagedObjectModel(entities: entities.filter { names.contains($0.name) })
  }
}

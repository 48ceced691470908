import ObjectModel
import SQLQueries

extension MigrationPlanner {
  /// Completes a plan with a mapping model.
  func complete(
    _ migration: inout StoreMigration, _ model: MappingModel, _ actions: TableActions
  ) throws(StoreError) {
    for entity in source.model.entities where !entity.isAbstract {
      migration.losses += try losses(of: entity, model)
    }
    migration.losses += try strayColumns(actions)
    migration.notes += notes(of: model)
    if migration.refusals.isEmpty { migration.refusals += try unknownRows(actions) }
  }

  /// Objects of which nothing is made, and values that no mapping reads; what closures read is not
  /// known.
  private func losses(of entity: EntityDescription, _ model: MappingModel) throws(StoreError)
    -> [StoreMigration.Loss]
  {
    guard let table = source.tables[entity.name] else { return [] }
    let own = source.isRow(of: [entity.name], in: table, alias: "s")
    var losses: [StoreMigration.Loss] = []
    func add(_ kind: StoreMigration.Loss.Kind, _ name: String, _ condition: SQL?)
      throws(StoreError)
    {
      let count = try count(
        "SELECT count(*) FROM \(name: table.name) s\(where: [own, condition])")
      if count > 0 { losses.append(StoreMigration.Loss(kind: kind, count: count, name: name)) }
    }
    let mappings = model.entityMappings.filter {
      $0.sourceEntityName == entity.name && $0.destinationEntityName != nil
    }
    if mappings.isEmpty { try add(.object, entity.name, nil) }
    guard !mappings.isEmpty, !mappings.contains(where: { $0.readKeys == nil }) else {
      return losses
    }
    let read = mappings.reduce(into: Set<String>()) { $0.formUnion($1.readKeys ?? []) }
    for (attribute, column) in zip(entity.attributes, table.columns)
    where !read.contains(attribute.name) && attribute.details.derivation == nil {
      try add(
        .value, "\(entity.name).\(attribute.name)",
        "\(column: column, of: "s") IS NOT NULL")
    }
    return losses
  }

  /// What becomes of the URIs of objects, which have their entities and keys.
  private func notes(of model: MappingModel) -> [String] {
    let keys = MigrationKeys(
      model, from: source.model, to: mapping.destination.model, storeIdentifier: "",
      lastKeys: [:])
    return model.entityMappings.compactMap { entity in
      guard let before = entity.sourceEntityName, let after = entity.destinationEntityName else {
        return nil
      }
      if !keys.keepsKeys(entity) {
        return "Objects of \(after) that \(entity.name) makes get new keys: their URIs change."
      }
      return before == after
        ? nil : "Objects of \(before) become objects of \(after): their URIs change."
    }
  }
}

import ObjectModel
import SQLQueries

extension StoreChecker {
  /// Reports tables and columns that the model has and the store lacks, and tables that look like
  /// those of an entity or relationship that the model lacks.
  mutating func checkTables(_ schema: CoreDataSchema) {
    for missing in schema.missing {
      let table = layout.tables[missing.entityName]?.name ?? ""
      if let property = missing.propertyName {
        report(
          .error, .missingColumn, table: table,
          "\(missing.entityName).\(property) has no column or join table in the store",
          remedy: "restore a backup, or give the model that the store was written with")
      } else {
        report(
          .error, .missingTable, "\(missing.entityName) has no table in the store",
          remedy: "restore a backup, or give the model that the store was written with")
      }
    }
    for table in layout.otherTables where table.purpose == OtherTables.stray {
      guard table.name.hasPrefix("Z"), table.name.dropFirst().first != "T" else { continue }
      report(
        .error, .strayTable, table: table.name,
        "\(table.name) is named like a table of the model, which has none for it",
        remedy: "give the model that the store was written with, or drop the table")
    }
  }

  /// Finds uniqueness constraints and foreign keys without an index: core-data-stores 4.5.
  mutating func checkIndexes(_ catalog: Catalog) throws(StoreError) {
    for entity in layout.model.entities {
      guard let table = layout.tables[entity.name] else { continue }
      let actual = catalog.table(named: table.name)
      for constraint in layout.model.ownUniquenessConstraints(of: entity) {
        guard let columns = columns(of: constraint, in: entity),
          actual?.uniqueIndexes.contains(where: { Set($0.columns) == Set(columns) }) != true
        else { continue }
        report(
          .error, .missingIndex, table: table.name,
          "\(table.name) has no unique index on \(columns.joined(separator: ", ")), so that equal "
            + "values are not refused",
          remedy: "CREATE UNIQUE INDEX")
      }
      for relationship in layout.model.ownRelationships(of: entity) {
        guard let link = table.toOne[relationship.name], !link.isInverse,
          let column = link.columns.first,
          actual?.indexes.contains(where: { !$0.isPartial && $0.parts.first?.name == column })
            != true
        else { continue }
        report(
          .error, .missingIndex, table: table.name,
          "\(table.name) has no index on \(column), the foreign key of \(relationship.name)",
          remedy: "CREATE INDEX")
      }
    }
  }
}

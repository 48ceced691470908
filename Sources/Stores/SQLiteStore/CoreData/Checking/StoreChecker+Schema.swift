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
  mutating func checkIndexes() throws(StoreError) {
    let indexes = try indexes()
    for entity in layout.model.entities {
      guard let table = layout.tables[entity.name] else { continue }
      let own = indexes[table.name] ?? []
      for constraint in layout.model.ownUniquenessConstraints(of: entity) {
        let columns = constraint.compactMap { name in
          entity.attributeIndex(name).map { table.columns[$0] } ?? table.toOne[name]?.columns.first
        }
        guard !columns.isEmpty, columns.count == constraint.count,
          !own.contains(where: { $0.isUnique && Set($0.columns) == Set(columns) })
        else { continue }
        report(
          .error, .missingIndex, table: table.name,
          "\(table.name) has no unique index on \(columns.joined(separator: ", ")), so that equal "
            + "values are not refused",
          remedy: "CREATE UNIQUE INDEX")
      }
      for relationship in layout.model.ownRelationships(of: entity) {
        guard let link = table.toOne[relationship.name], !link.isInverse,
          let column = link.columns.first, !own.contains(where: { $0.columns.first == column })
        else { continue }
        report(
          .error, .missingIndex, table: table.name,
          "\(table.name) has no index on \(column), the foreign key of \(relationship.name)",
          remedy: "CREATE INDEX")
      }
    }
  }

  private struct Index {
    let isUnique: Bool
    var columns: [String]
  }

  /// The indexes of all tables that have no condition.
  private func indexes() throws(StoreError) -> [String: [Index]] {
    let statement = try prepare(
      """
      SELECT m.name, l.name, l."unique", i.name FROM sqlite_master m \
      CROSS JOIN pragma_index_list(m.name) l CROSS JOIN pragma_index_info(l.name) i \
      WHERE m.type = 'table' AND l.partial = 0 ORDER BY m.name, l.seq, i.seqno
      """)
    var found: [String: [Index]] = [:]
    var last = ["", ""]
    while try statement.step() {
      let (table, name) = (statement.value(0).text ?? "", statement.value(1).text ?? "")
      if last != [table, name] {
        found[table, default: []].append(Index(isUnique: statement.integer(2) != 0, columns: []))
        last = [table, name]
      }
      let place = (found[table]?.count ?? 1) - 1
      found[table]?[place].columns.append(statement.value(3).text ?? "")
    }
    return found
  }
}

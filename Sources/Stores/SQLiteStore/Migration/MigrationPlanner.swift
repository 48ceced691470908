import ObjectModel
import SQLQueries

/// Counts what a migration loses, and finds the values that keep it from being made.
struct MigrationPlanner {
  let mapping: MigrationMapping
  let statements: SaveStatements

  init(_ mapping: MigrationMapping, on connection: Connection) {
    self.mapping = mapping
    statements = SaveStatements(connection, doing: StoreMigration.doing)
  }

  var source: StoreLayout { mapping.source }

  /// Completes a plan.
  ///
  /// - Throws: ``StoreError`` if the store cannot be read.
  func complete(_ migration: inout StoreMigration) throws(StoreError) {
    let actions = try TableActions(mapping, keepsAny: migration.mapping == nil, statements)
    migration.tables = actions.changes
    if let model = migration.mapping { return try complete(&migration, model, actions) }
    for entity in migration.difference.entities {
      migration.losses += try losses(of: entity)
    }
    migration.losses += try strayColumns(actions)
    guard migration.refusals.isEmpty else { return }
    migration.refusals += try unknownRows(actions)
    migration.refusals += try missingValues()
    migration.refusals += try sharedDestinations()
    migration.refusals += try duplicates()
  }

  func count(_ sql: SQL) throws(StoreError) -> Int {
    guard case .integer(let count)? = try statements.row(sql)?.first else { return 0 }
    return Int(count)
  }

  private func losses(of entity: EntityDifference) throws(StoreError) -> [StoreMigration.Loss] {
    guard let name = entity.sourceName, let before = source.model.entity(named: name),
      let table = source.tables[name]
    else { return [] }
    var losses: [StoreMigration.Loss] = []
    func add(_ kind: StoreMigration.Loss.Kind, _ count: Int, _ name: String) {
      if count > 0 { losses.append(StoreMigration.Loss(kind: kind, count: count, name: name)) }
    }
    guard entity.destinationName != nil else {
      let own = source.isRow(of: [name], in: table, alias: "s")
      add(.object, try count("SELECT count(*) FROM \(name: table.name) s\(where: [own])"), name)
      return losses
    }
    let family = Set(source.model.entityNames(inheritingFrom: name)).filter {
      mapping.names.destinationName[$0] != nil
    }
    let rows = source.isRow(of: family, in: table, alias: "s")
    for property in entity.properties where property.destinationName == nil {
      guard let removed = property.sourceName, !property.isInherited else { continue }
      if let index = before.attributeIndex(removed) {
        let value: SQL = "\(column: table.columns[index], of: "s") IS NOT NULL"
        guard before.attributes[index].details.derivation == nil else { continue }
        add(
          .value,
          try count("SELECT count(*) FROM \(name: table.name) s\(where: [rows, value])"),
          "\(name).\(removed)")
      } else if let relationship = before.relationship(named: removed),
        !hasDestination(relationship), let link = source.link(relationship, of: name),
        relationship.inverseName.map({ removed < $0 || name != relationship.destinationEntityName })
          ?? true
      {
        add(
          .link,
          try count(
            """
            SELECT count(*) FROM \(name: link.table) p WHERE \(column: link.owner, of: "p") \
            IS NOT NULL AND \(column: link.target, of: "p") IS NOT NULL
            """), "\(name).\(removed)")
      }
    }
    return losses
  }

  /// Whether the inverse of a relationship keeps its links.
  private func hasDestination(_ relationship: RelationshipDescription) -> Bool {
    guard let inverse = source.model.inverse(of: relationship),
      let name = mapping.names.destinationName[relationship.destinationEntityName],
      let entity = mapping.destination.model.entity(named: name),
      let before = mapping.source(of: name)
    else { return false }
    return VersionPairs<RelationshipDescription>(from: before, to: entity).pairs.contains {
      $0.source?.name == inverse.name && $0.destination != nil
    }
  }

  /// Values in columns of rewritten tables that are not in the store's model.
  func strayColumns(_ actions: TableActions) throws(StoreError) -> [StoreMigration.Loss] {
    guard source.coreData != nil else { return [] }
    var losses: [StoreMigration.Loss] = []
    for (table, columns) in actions.sourceColumns.sorted(by: { $0.key < $1.key })
    where actions.isRewritten(table) {
      let known = mapping.knownColumns(of: table)
      for column in columns where !known.contains(column.name) {
        let count = try count("SELECT count(\(column: column.name, of: "s")) FROM \(name: table) s")
        guard count > 0 else { continue }
        losses.append(
          StoreMigration.Loss(kind: .value, count: count, name: "\(table).\(column.name)"))
      }
    }
    return losses
  }

  /// Rows whose entity the store's model does not have.
  func unknownRows(_ actions: TableActions) throws(StoreError) -> [String] {
    var refusals: [String] = []
    for name in Set(source.tables.values.map(\.name)).sorted() where !actions.isUntouched(name) {
      guard let table = source.tables.values.first(where: { $0.name == name }),
        let column = table.entityColumn
      else { continue }
      let marks = Array(column.values.values)
      let count = try count(
        """
        SELECT count(*) FROM \(name: name) s \
        WHERE \(column: column.name, of: "s") IS NULL \
        OR \(column: column.name, of: "s") NOT IN (\(marks))
        """)
      if count > 0 {
        refusals.append("\(Value.grouped(count)) rows of \(name) are of no entity of its model")
      }
    }
    return refusals
  }

  /// Required values of a plain table, which has NOT NULL, that are missing.
  private func missingValues() throws(StoreError) -> [String] {
    guard mapping.destination.coreData == nil else { return [] }
    var refusals: [String] = []
    for table in mapping.tables {
      guard let old = table.source else { continue }
      let required = mapping.target.requiredColumns(of: table.name)
      for column in table.columns where required.contains(column.name) {
        let value: SQL = "(\(column.value)) IS NULL"
        let count = try count(
          "SELECT count(*) FROM \(name: old) s\(where: [table.condition, value])")
        guard count > 0 else { continue }
        refusals.append(
          "\(Value.grouped(count)) objects of \(table.name) have no \(column.name), "
            + "which is required")
      }
    }
    return refusals
  }

  /// To-one relationships whose links lead from one object to several.
  private func sharedDestinations() throws(StoreError) -> [String] {
    var refusals: [String] = []
    for check in mapping.exclusiveLinks {
      let (owner, target) = (
        SQL.column(check.link.owner, of: "p"), SQL.column(check.link.target, of: "p")
      )
      let count = try count(
        """
        SELECT count(*) FROM (SELECT 1 FROM \(name: check.link.table) p \
        WHERE \(owner) IS NOT NULL AND \(target) IS NOT NULL GROUP BY \(owner) \
        HAVING count(DISTINCT \(target)) > 1)
        """)
      guard count > 0 else { continue }
      refusals.append(
        "\(check.name) could keep one object, and \(Value.grouped(count)) have several")
    }
    return refusals
  }

  /// Values that are to be unique and are not.
  private func duplicates() throws(StoreError) -> [String] {
    let destination = mapping.destination
    let tables = Dictionary(firstOf: mapping.tables.map { ($0.name, $0) })
    var refusals: [String] = []
    for entity in destination.model.entities {
      guard let layout = destination.tables[entity.name], let table = tables[layout.name],
        let old = table.source
      else { continue }
      // Core Data's unique index is on all rows of the table.
      let family =
        destination.coreData == nil ? mapping.sources(ofFamily: entity.name) : nil
      for constraint in destination.model.ownUniquenessConstraints(of: entity) {
        let names = constraint.compactMap { name in
          entity.attributeIndex(name).map { layout.columns[$0] }
            ?? layout.toOne[name]?.columns.first
        }
        let values = names.compactMap { name in
          table.columns.first { $0.name == name }?.value
        }
        guard !values.isEmpty, values.count == constraint.count,
          let sourceTable = source.tables.values.first(where: { $0.name == old })
        else { continue }
        let membership = family.flatMap { source.isRow(of: $0, in: sourceTable, alias: "s") }
        let present = values.map { "(\($0)) IS NOT NULL" as SQL }
        let count = try count(
          """
          SELECT count(*) FROM (SELECT 1 FROM \(name: old) s\
          \(where: [table.condition, membership] + present) \
          GROUP BY \(values) HAVING count(*) > 1)
          """)
        guard count > 0 else { continue }
        refusals.append(
          "\(entity.name).\(constraint.joined(separator: " + ")) must be unique, and "
            + "\(Value.grouped(count)) value\(count == 1 ? " is" : "s are") not")
      }
    }
    return refusals
  }
}

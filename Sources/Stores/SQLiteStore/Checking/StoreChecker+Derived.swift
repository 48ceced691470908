import ObjectModel
import SQLQueries

extension StoreChecker {
  /// Compares derived attributes with their derivations, and looks for their triggers:
  /// core-data-stores 4.5.
  mutating func checkDerivations(of entity: EntityDescription) throws(StoreError) {
    guard let table = layout.tables[entity.name] else { return }
    for (attribute, column) in ownAttributes(of: entity) {
      guard let details = attribute.details.derivation,
        let derivation = CoreDataBlueprint.Derivation(details, of: entity)
      else { continue }
      try checkTriggers(of: derivation, attribute, of: entity, in: table)
      guard let wrong = staleness(of: .column(column, of: "t"), derivation, in: table) else {
        continue
      }
      let conditions = [isMember(of: entity.name, alias: "t"), wrong.condition]
      try report(
        .error, .staleDerivation, table: table.name, rows: keyColumns(of: table, alias: "t"),
        from: "\(name: table.name) t\(wrong.join)\(where: conditions)",
        "have a \(attribute.name) that is not \(details.expression)",
        remedy: "an app updates it when it saves what it is derived from")
    }
  }

  /// The join and the condition that find rows whose derived value is stale; nil for a derivation
  /// that cannot be computed.
  private func staleness(
    of value: SQL, _ derivation: CoreDataBlueprint.Derivation, in table: EntityTable
  ) -> (join: SQL, condition: SQL)? {
    func count(in name: String, by column: String, equalTo key: String) -> (SQL, SQL) {
      (
        """
         LEFT JOIN (SELECT \(column: column, of: "s") AS k, count(*) AS n FROM \(name: name) s \
        GROUP BY 1) c ON c.k = \(column: key, of: "t")
        """, "coalesce(\(value), 0) <> coalesce(c.n, 0)"
      )
    }
    switch derivation {
    case .now: return nil
    case .count(let relationship):
      switch table.toMany[relationship.name] {
      case .foreignKey(let key):
        guard let column = key.columns.first, let own = key.referenced.first,
          let name = destinationTable(of: relationship)?.name
        else { return nil }
        return count(in: name, by: column, equalTo: own)
      case .join(let join):
        guard let column = join.sourceColumns.first, let own = join.sourceReferenced.first else {
          return nil
        }
        return count(in: join.name, by: column, equalTo: own)
      case nil: return nil
      }
    case .value(let name, let relationship):
      guard let link = table.toOne[relationship.name], let column = link.columns.first,
        let referenced = link.referenced.first,
        let destination = destinationTable(of: relationship),
        let index = layout.model.entity(named: relationship.destinationEntityName)?
          .attributeIndex(name)
      else { return nil }
      return (
        """
         LEFT JOIN \(name: destination.name) d \
        ON \(column: referenced, of: "d") = \(column: column, of: "t")
        """, "\(value) IS NOT \(column: destination.columns[index], of: "d")"
      )
    }
  }

  /// Reports the triggers of a derivation that are missing.
  ///
  /// Which there are for a count over a join table, or for the time of the last save, is not known
  /// of Core Data's own: one is enough.
  private mutating func checkTriggers(
    of derivation: CoreDataBlueprint.Derivation, _ attribute: AttributeDescription,
    of entity: EntityDescription, in table: EntityTable
  ) throws(StoreError) {
    var expected: [String] = []
    switch derivation {
    case .count(let relationship):
      if case .foreignKey = table.toMany[relationship.name] {
        expected = [
          "PARAMETER_INSERT", "PARAMETER_UPDATE_INCREMENT", "PARAMETER_UPDATE_DECREMENT",
          "PARAMETER_DELETE", "SOURCE_INSERT",
        ]
      }
    case .value:
      expected = ["SOURCE_INSERT", "SOURCE_UPDATE", "PARAMETER_INSERT", "PARAMETER_UPDATE"]
    case .now: break
    }
    let mark = "_\(entity.name)_\(attribute.name)_"
    let names = try triggerNames().filter { $0.hasPrefix("Z_DA_") && $0.contains(mark) }
    let missing = expected.filter { ending in !names.contains { $0.hasSuffix(mark + ending) } }
    guard names.isEmpty || !missing.isEmpty else { return }
    report(
      .error, .missingTrigger, table: table.name,
      "\(attribute.name) of \(entity.name) has lost triggers that update it"
        + (names.isEmpty ? "" : ": \(missing.joined(separator: ", "))"),
      remedy: "an app creates them when it migrates the store; restore a backup")
  }

  /// Compares the spatial indexes with the tables that they are of: core-data-stores 4.5.
  mutating func checkSpatialIndexes() throws(StoreError) {
    let triggers = try triggerNames()
    for index in layout.otherTables where index.name.hasPrefix("Z_RT_") {
      guard
        let entity = layout.model.entities.first(where: {
          index.name.hasPrefix("Z_RT_\($0.name)_")
        }), let table = layout.tables[entity.name],
        index.purpose == OtherTables.spatialIndex
      else { continue }
      let missing = ["INSERT", "UPDATE", "DELETE"].filter {
        !triggers.contains("\(index.name)_\($0)")
      }
      if !missing.isEmpty {
        report(
          .error, .missingTrigger, table: table.name,
          "\(index.name) has lost triggers that update it: \(missing.joined(separator: ", "))",
          remedy: "restore a backup")
      }
      try report(
        .error, .spatialIndex, table: table.name, rows: ["t.Z_PK"],
        from: """
          \(name: table.name) t WHERE NOT EXISTS \
          (SELECT 1 FROM \(name: index.name) r WHERE r.Z_PK = t.Z_PK)
          """,
        "are not in \(index.name): a search by place does not find them")
      try report(
        .error, .spatialIndex, table: index.name, rows: ["r.Z_PK"],
        from: """
          \(name: index.name) r WHERE NOT EXISTS \
          (SELECT 1 FROM \(name: table.name) t WHERE t.Z_PK = r.Z_PK)
          """,
        "are of objects that do not exist", remedy: "delete these rows")
      try checkPlaces(of: index.name, in: table)
    }
  }

  /// Finds rows that a spatial index has with other coordinates.
  private mutating func checkPlaces(of index: String, in table: EntityTable) throws(StoreError) {
    let names = try texts("SELECT c.name FROM pragma_table_info(\(Value.string(index))) c")
    var places: [SQL] = []
    for name in names where name.hasSuffix("_MIN") {
      let column = String(name.dropLast(4))
      guard table.columns.contains(column) else { continue }
      let value = SQL.column(column, of: "t")
      places.append(
        """
        (\(value) IS NOT NULL AND \(value) NOT BETWEEN \
        \(column: name, of: "r") AND \(column: column + "_MAX", of: "r"))
        """)
    }
    guard !places.isEmpty else { return }
    try report(
      .error, .spatialIndex, table: table.name, rows: ["t.Z_PK"],
      from: """
        \(name: table.name) t JOIN \(name: index) r ON r.Z_PK = t.Z_PK \
        WHERE \(places.joined(" OR "))
        """,
      "are at another place in \(index)")
  }
}

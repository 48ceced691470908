import ObjectModel
import SQLQueries

/// What each column of each table of a migrated store is made of.
///
/// All expressions read the store as it was, so that the tables can be filled in any order.
struct MigrationMapping {
  /// A table of entities.
  struct Table {
    /// A column.
    struct Column {
      let name: String
      /// The value, from the row `s` of the source's table.
      let value: SQL
      /// The column of the source that has the same, but for the numbers of entities.
      var renumbered: String?
    }

    let name: String
    /// The table that has the rows; nil if there are none.
    let source: String?
    let columns: [Column]
    /// Which rows of it are kept; nil for all.
    let condition: SQL?
  }

  let source: StoreLayout
  let target: MigrationTarget
  let names: EntityNames
  /// The names of tables of the source while it is migrated, where they differ.
  var asides: [String: String] = [:]

  init(from source: StoreLayout, to target: MigrationTarget) {
    (self.source, self.target) = (source, target)
    let pairs = VersionPairs<EntityDescription>(from: source.model, to: target.layout.model)
    names = EntityNames(pairs.pairs, source: source.model, destination: target.layout.model)
  }

  var destination: StoreLayout { target.layout }

  /// The name by which a table of the source is read.
  func current(_ table: String) -> String { asides[table] ?? table }

  /// The entity of the source whose objects an entity gets; nil if it is new.
  func source(of entityName: String) -> EntityDescription? {
    names.sourceName[entityName].flatMap { source.tables[$0] == nil ? nil : $0 }
      .flatMap(source.model.entity(named:))
  }

  /// The entities of the source whose objects get an entity or one of its subentities.
  func sources(ofFamily entityName: String) -> Set<String> {
    Set(
      destination.model.entityNames(inheritingFrom: entityName)
        .compactMap { source(of: $0)?.name })
  }

  /// The tables of the entities.
  var tables: [Table] {
    target.items.filter { $0.kind == .table }.compactMap { item in
      let family = destination.entities(in: item.name)
      return family.isEmpty ? nil : table(item.name, of: family)
    }
  }

  private func table(_ name: String, of family: [EntityDescription]) -> Table {
    let entries = family.compactMap { entity in
      source(of: entity.name).map { Entry(entity: entity, source: $0) }
    }
    let columns = target.columns[name] ?? []
    guard let first = entries.first, let old = source.tables[first.source.name],
      let new = destination.tables[first.entity.name]
    else { return Table(name: name, source: nil, columns: [], condition: nil) }
    var made: [String: [Int: SQL]] = [:]
    var renumbered: [String: String] = [:]
    for (index, entry) in entries.enumerated() {
      for (column, value) in values(of: entry, in: old, &renumbered) {
        made[column, default: [:]][index] = value
      }
    }
    let claims = entries.map { self.claims(of: $0.source.name) }
    let own = ownColumns(from: old, to: new, entries, &renumbered)
    return Table(
      name: name, source: old.name,
      columns: columns.map { column in
        let value =
          own[column.name]
          ?? combined(made[column.name] ?? [:], entries, claims, in: old)
        return Table.Column(
          name: column.name, value: value, renumbered: renumbered[column.name])
      },
      condition: source.isRow(of: Set(entries.map(\.source.name)), in: old, alias: "s"))
  }

  /// An entity of the table, and the one that it was.
  struct Entry {
    let entity: EntityDescription
    let source: EntityDescription
  }

  /// The columns that belong to no property: key, entity, version.
  private func ownColumns(
    from old: EntityTable, to new: EntityTable, _ entries: [Entry],
    _ renumbered: inout [String: String]
  ) -> [String: SQL] {
    var own: [String: SQL] = [:]
    for (column, key) in zip(new.keyColumnNames, old.keyColumnNames) {
      own[column] = .column(key, of: "s")
    }
    if destination.coreData != nil {
      own[ActualTable.versionColumn] = .column(ActualTable.versionColumn, of: "s")
      own[ActualTable.entityColumn] = number(.column(ActualTable.entityColumn, of: "s"), entries)
      renumbered[ActualTable.entityColumn] = ActualTable.entityColumn
    } else if let column = new.entityColumn {
      let marks = entries.map { Value.string($0.entity.name) }
      own[column.name] =
        old.entityColumn.map { mark in
          Self.replaced(
            .column(mark.name, of: "s"),
            zip(entries, marks).compactMap { entry, mark in
              old.entityColumn?.values[entry.source.name].map { ($0, mark) }
            })
        } ?? .value(marks[0])
    }
    return own
  }

  /// The new number of a row's entity, by an expression for the old one.
  private func number(_ old: SQL, _ entries: [Entry]) -> SQL {
    let numbers = entries.compactMap { entry -> (Value, Value)? in
      guard let before = source.coreData?.entityNumbers[entry.source.name],
        let after = destination.coreData?.entityNumbers[entry.entity.name]
      else { return nil }
      return (.integer(before), .integer(after))
    }
    return Self.replaced(old, numbers)
  }

  /// An expression with some values in place of others.
  static func replaced(_ value: SQL, _ pairs: [(Value, Value)]) -> SQL {
    guard pairs.contains(where: { $0 != $1 }) else { return value }
    let cases = pairs.map { "WHEN \($0) THEN \($1)" as SQL }.joined(" ")
    return "CASE \(value) \(cases) END"
  }

  /// The columns of the source that belong to an entity's properties.
  func claims(of entityName: String) -> Set<String> {
    guard let table = source.tables[entityName] else { return [] }
    var claims = Set(table.columns)
    for toOne in table.toOne.values where !toOne.isInverse {
      claims.formUnion(
        toOne.columns + [toOne.entityColumn, toOne.orderColumn].compactMap(\.self))
    }
    for (_, relationship, key) in hiddenKeys(in: source, table: table.name)
    where source.model.entityNames(inheritingFrom: relationship.destinationEntityName)
      .contains(entityName)
    {
      claims.formUnion(key.columns + [key.orderColumn].compactMap(\.self))
    }
    return claims
  }

  /// The to-many relationships without an inverse whose foreign keys are in a table.
  func hiddenKeys(in layout: StoreLayout, table: String) -> [(
    owner: EntityDescription, relationship: RelationshipDescription, key: EntityTable.ForeignKey
  )] {
    layout.model.entities.flatMap { owner in
      layout.model.ownRelationships(of: owner).compactMap { relationship in
        guard case .foreignKey(let key)? = layout.tables[owner.name]?.toMany[relationship.name],
          key.isHidden, layout.tables[relationship.destinationEntityName]?.name == table
        else { return nil }
        return (owner, relationship, key)
      }
    }
  }

  /// One expression for all entities of a table: the same for all, or one that looks at the entity
  /// of the row.
  private func combined(
    _ values: [Int: SQL], _ entries: [Entry], _ claims: [Set<String>], in old: EntityTable
  ) -> SQL {
    let different = values.values.reduce(into: [SQL]()) { list, value in
      if !list.contains(value) { list.append(value) }
    }
    guard let only = different.first else { return "NULL" }
    func isColumn(_ names: Set<String>) -> Bool {
      names.contains { only == .column($0, of: "s") }
    }
    // What no property of an entity uses is NULL in its rows.
    let isPlain =
      different.count == 1
      && entries.indices.allSatisfy {
        values[$0] != nil || claims.contains(where: isColumn) && !isColumn(claims[$0])
      }
    guard !isPlain, let mark = old.entityColumn else { return only }
    let cases = different.map { value -> SQL in
      let marks = entries.indices.filter { values[$0] == value }.compactMap {
        mark.values[entries[$0].source.name]
      }
      return "WHEN \(column: mark.name, of: "s") IN (\(marks)) THEN \(value)"
    }
    return "CASE \(cases.joined(" ")) END"
  }
}

import ObjectModel

/// The tables that a model asks for, and where its entities stand in them.
///
/// An entity and all that inherit from it share one table, so that a fetch of it is a query of one table; a column
/// says which entity a row is of. A to-one relationship is a column with a foreign key; a to-many without a to-one
/// back is a table of pairs. All names follow from the model alone: reading the model again gives the same blueprint.
struct StoreBlueprint {
  /// What keeps pairs of a relationship.
  private struct Pairs {
    let table: String
    let owner: ModelTopology.End
    let columns: (own: String, other: String)
    let orderColumns: (own: String?, other: String?)
  }

  /// Where a to-one or an attribute stands, by its entity.
  private typealias Columns = [String: [String: String]]

  private let topology: ModelTopology
  /// The tables, those of pairs last.
  private(set) var tables: [TableBlueprint] = []
  /// Indexes and triggers.
  private(set) var additions: [String] = []
  private var pairs: [ModelTopology.End: Pairs] = [:]
  private var columns: Columns = [:]
  private var entityColumns: [String: String] = [:]
  private var keyColumns: [String: String] = [:]

  /// Plans the tables of a model.
  ///
  /// - Parameter model: A model that is whole.
  /// - Throws: ``StoreError`` for names that cannot be tables.
  init(_ model: ManagedObjectModel) throws(StoreError) {
    topology = ModelTopology(model: model)
    let roots = model.entities.filter { $0.superentityName == nil }.map(\.name)
    try Self.check(roots)
    for root in roots { chooseKey(of: root) }
    for root in roots { addTable(of: root) }
    for entity in model.entities {
      for relationship in entity.relationships where topology.needsPairs(relationship) {
        addPairs(relationship, of: entity.name)
      }
    }
    for entity in model.entities { addUniqueIndexes(of: entity) }
  }

  /// All statements, in the order in which they can be run.
  var statements: [String] { tables.map(\.statement) + additions }

  private static func check(_ roots: [String]) throws(StoreError) {
    func refuse(_ name: String, _ why: String) -> StoreError {
      StoreError(
        .unsupported, doing: "creating a store", subject: name, detail: why,
        remedy: "rename the entity")
    }
    for (place, name) in roots.enumerated() {
      if name.lowercased().hasPrefix("sqlite_") || name.isSameName(as: StoredModel.tableName) {
        throw refuse(name, "a table cannot have this name")
      }
      if let twin = roots[..<place].first(where: { $0.isSameName(as: name) }) {
        throw refuse(name, "to SQLite it is the same name as \(twin)")
      }
      if name.utf8.contains(0) { throw refuse(name, "the name has a NUL in it") }
    }
  }

  private mutating func chooseKey(of root: String) {
    let names = topology.family(of: root).flatMap { entity in
      entity.attributes.map(\.name) + entity.relationships.map(\.name)
    }
    keyColumns[root] = TableBlueprint.free(["id", "_id", "__id"], besides: names)
  }

  private mutating func addTable(of root: String) {
    var table = TableBlueprint(name: root, keyColumn: keyColumns[root])
    let family = topology.family(of: root)
    if family.count > 1 {
      let names = family.flatMap { $0.attributes.map(\.name) + $0.relationships.map(\.name) }
      let column = TableBlueprint.Column(
        name: TableBlueprint.free(["entity", "_entity"], besides: names), declaredType: "TEXT",
        isRequired: true)
      entityColumns[root] = table.add(column, orNamed: column.name)
    }
    for entity in family {
      let inherited = entity.superentityName.flatMap { columns[$0] } ?? [:]
      var own = inherited
      for attribute in entity.attributes where own[attribute.name] == nil {
        own[attribute.name] = table.add(
          TableBlueprint.Column(attribute, isShared: entity.name != root),
          orNamed: "\(entity.name)_\(attribute.name)")
      }
      for relationship in entity.relationships
      where own[relationship.name] == nil && topology.holdsKey(relationship, of: entity.name) {
        let column = table.add(
          TableBlueprint.Column(
            name: relationship.name, declaredType: "INTEGER",
            reference: reference(of: relationship)),
          orNamed: "\(entity.name)_\(relationship.name)")
        own[relationship.name] = column
        addIndex(on: [column], of: root)
      }
      columns[entity.name] = own
    }
    tables.append(table)
  }

  /// The foreign key of a to-one; nil where its destination may go and leave it behind.
  ///
  /// A required to-one is not declared NOT NULL: objects that refer to each other could not be put in then.
  private func reference(of relationship: RelationshipDescription) -> TableBlueprint.Reference? {
    let onDelete: String
    switch topology.inverse(of: relationship)?.deleteRule ?? .nullify {
    case .noAction: return nil
    case .nullify: onDelete = "SET NULL"
    case .cascade: onDelete = "CASCADE"
    case .deny: onDelete = "NO ACTION"
    }
    let table = topology.root(of: relationship.destinationEntityName)
    return keyColumns[table].map {
      TableBlueprint.Reference(table: table, column: $0, onDelete: onDelete)
    }
  }

  private mutating func addIndex(
    on columns: [String], of table: String, isUnique: Bool = false, where condition: String = ""
  ) {
    let name = "index \(table) \(columns.joined(separator: " "))"
    let list = columns.map(SQL.quote).joined(separator: ", ")
    // The number keeps names apart that are made of the same words.
    additions.append(
      "CREATE \(isUnique ? "UNIQUE " : "")INDEX \(SQL.quote("\(name) \(additions.count + 1)"))"
        + " ON \(SQL.quote(table))(\(list))\(condition)")
  }

  private mutating func addUniqueIndexes(of entity: EntityDescription) {
    let inherited =
      entity.superentityName.flatMap { topology.model.entity(named: $0) }?.uniquenessConstraints
      ?? []
    let root = topology.root(of: entity.name)
    for constraint in entity.uniquenessConstraints where !inherited.contains(constraint) {
      let list = constraint.compactMap { columns[entity.name]?[$0] }
      guard !list.isEmpty, list.count == constraint.count else { continue }
      var condition = ""
      if let entityColumn = entityColumns[root], entity.name != root {
        let names = topology.model.entityNames(inheritingFrom: entity.name).map {
          "'" + $0.replacing("'", with: "''") + "'"
        }
        condition = " WHERE \(SQL.quote(entityColumn)) IN (\(names.joined(separator: ", ")))"
      }
      addIndex(on: list, of: root, isUnique: true, where: condition)
    }
  }

  private mutating func addPairs(_ relationship: RelationshipDescription, of entity: String) {
    let here = topology.end(relationship.name, of: entity)
    let there = topology.inverseEnd(of: relationship)
    guard pairs[here] == nil, there.map({ here <= $0 }) ?? true else { return }
    let (own, other) = (
      topology.root(of: here.entity), topology.root(of: relationship.destinationEntityName)
    )
    guard let ownKey = keyColumns[own], let otherKey = keyColumns[other] else { return }
    let ownColumn = NameWords(here.entity).propertyName
    let candidates = [
      NameWords(relationship.destinationEntityName).propertyName,
      NameWords(relationship.name).singular.propertyName, "other",
    ]
    let otherColumn = TableBlueprint.free(candidates, besides: [ownColumn])
    let taken = tables.map(\.name) + topology.model.entities.map(\.name) + [StoredModel.tableName]
    var table = TableBlueprint(
      name: TableBlueprint.free(["\(here.entity)_\(here.relationship)"], besides: taken))
    for (name, root, key) in [(ownColumn, own, ownKey), (otherColumn, other, otherKey)] {
      table.columns.append(
        TableBlueprint.Column(
          name: name, declaredType: "INTEGER", isRequired: true,
          reference: TableBlueprint.Reference(table: root, column: key, onDelete: "CASCADE")))
    }
    let order = relationship.isOrdered ? table.addOrder("position") : nil
    let inverseOrder =
      here != there && topology.inverse(of: relationship)?.isOrdered == true
      ? table.addOrder("inverse_position") : nil
    tables.append(table)
    addIndex(on: [otherColumn], of: table.name)
    if here == there { addMirror(of: table.name, ownColumn, otherColumn) }
    let result = Pairs(
      table: table.name, owner: here, columns: (ownColumn, otherColumn),
      orderColumns: (order, inverseOrder))
    pairs[here] = result
    if let there { pairs[there] = result }
  }

  /// Keeps both directions of a relationship that is its own inverse, as between friends.
  private mutating func addMirror(of table: String, _ own: String, _ other: String) {
    let (name, own, other) = (SQL.quote(table), SQL.quote(own), SQL.quote(other))
    additions.append(
      """
      CREATE TRIGGER \(SQL.quote("mirror \(table)")) AFTER INSERT ON \(name)
      WHEN NOT EXISTS (SELECT 1 FROM \(name) WHERE \(own) = NEW.\(other) AND \(other) = NEW.\(own))
      BEGIN INSERT INTO \(name) (\(own), \(other)) VALUES (NEW.\(other), NEW.\(own)); END
      """)
    additions.append(
      """
      CREATE TRIGGER \(SQL.quote("unmirror \(table)")) AFTER DELETE ON \(name)
      BEGIN DELETE FROM \(name) WHERE \(own) = OLD.\(other) AND \(other) = OLD.\(own); END
      """)
  }
}

extension TableBlueprint {
  fileprivate mutating func addOrder(_ name: String) -> String {
    add(Column(name: name, declaredType: "INTEGER"), orNamed: "_\(name)")
  }
}

extension StoreBlueprint {
  /// Where the entities stand.
  var layout: StoreLayout {
    let entities = topology.model.entities
    return StoreLayout(
      model: ManagedObjectModel(entities: entities.map(declared)),
      tables: Dictionary(
        entities.map { ($0.name, table(of: $0)) }, uniquingKeysWith: { first, _ in first }),
      otherTables: Set(pairs.values.map(\.table)).sorted().map { name in
        let owner = pairs.values.first { $0.table == name }?.owner
        return StoreSummary.OtherTable(
          name: name, purpose: "links of \(owner?.entity ?? "").\(owner?.relationship ?? "")")
      })
  }

  /// An entity whose attributes say how their columns are declared.
  private func declared(_ entity: EntityDescription) -> EntityDescription {
    EntityDescription(
      name: entity.name, superentityName: entity.superentityName, isAbstract: entity.isAbstract,
      attributes: entity.attributes.map { attribute in
        var attribute = attribute
        attribute.declaredType = TableBlueprint.Column.declaredType(of: attribute)
        return attribute
      }, relationships: entity.relationships, uniquenessConstraints: entity.uniquenessConstraints,
      keyAttributes: [], readOnlyReason: entity.readOnlyReason)
  }

  private func table(of entity: EntityDescription) -> EntityTable {
    let root = topology.root(of: entity.name)
    let key = keyColumns[root] ?? "rowid"
    let own = columns[entity.name] ?? [:]
    var table = EntityTable(
      name: root, key: .rowid(name: key), entityColumn: entityColumn(of: root),
      columns: entity.attributes.map { own[$0.name] ?? $0.name })
    for relationship in entity.relationships {
      let destination = relationship.destinationEntityName
      let destinationKey = keyColumns[topology.root(of: destination)] ?? "rowid"
      if topology.needsPairs(relationship) {
        table.toMany[relationship.name] = joinTable(relationship, of: entity.name)
          .map(EntityTable.ToMany.join)
      } else if let column = own[relationship.name] {
        table.toOne[relationship.name] = EntityTable.ToOne(
          columns: [column], referenced: [destinationKey], referencesKey: true)
      } else if let column = relationship.inverseName.flatMap({ columns[destination]?[$0] }) {
        if relationship.isToMany {
          table.toMany[relationship.name] = .foreignKey(
            EntityTable.ForeignKey(columns: [column], referenced: [key]))
        } else {
          table.toOne[relationship.name] = EntityTable.ToOne(
            columns: [key], referenced: [column], referencesKey: false, isInverse: true)
        }
      }
    }
    return table
  }

  private func entityColumn(of root: String) -> EntityTable.EntityColumn? {
    entityColumns[root].map { column in
      let names = topology.family(of: root).map(\.name)
      return EntityTable.EntityColumn(
        name: column,
        marks: Dictionary(names.map { ($0, .string($0)) }, uniquingKeysWith: { first, _ in first }))
    }
  }

  private func joinTable(_ relationship: RelationshipDescription, of entity: String)
    -> EntityTable.JoinTable?
  {
    let here = topology.end(relationship.name, of: entity)
    guard let pairs = pairs[here],
      let source = keyColumns[topology.root(of: entity)],
      let destination = keyColumns[topology.root(of: relationship.destinationEntityName)]
    else { return nil }
    let isOwner = pairs.owner == here
    return EntityTable.JoinTable(
      name: pairs.table, sourceColumns: [isOwner ? pairs.columns.own : pairs.columns.other],
      sourceReferenced: [source],
      destinationColumns: [isOwner ? pairs.columns.other : pairs.columns.own],
      destinationReferenced: [destination],
      orderColumn: isOwner ? pairs.orderColumns.own : pairs.orderColumns.other)
  }
}

import ObjectModel
import SQLQueries

/// The plain tables of a model, and the layout of its entities in them.
///
/// An entity and its subentities share one table, so that a fetch is a query of one table; a column
/// contains a row's entity. A to-one relationship is a column with a foreign key; a to-many without
/// a to-one inverse is a join table. All names follow from the model: the same model gives the same
/// blueprint.
struct StoreBlueprint {
  let topology: ModelTopology
  /// The tables, join tables last.
  var tables: [TableBlueprint] = []
  /// The statements of indexes and triggers.
  var additions: [String] = []
  /// The join tables, by both ends of their relationships.
  var pairs: [ModelTopology.End: Pairs] = [:]
  /// The columns of attributes and to-ones, by entity and property.
  private(set) var columns: [String: [String: String]] = [:]
  /// The columns with the order keys of objects in the ordered inverse of a to-one, by entity and
  /// to-one.
  private(set) var orderColumns: [String: [String: String]] = [:]
  /// The columns with the entity of a row, by root entity.
  private(set) var entityColumns: [String: String] = [:]
  /// The key columns, by root entity.
  private(set) var keyColumns: [String: String] = [:]

  /// Plans the tables of a model.
  ///
  /// - Throws: ``StoreError`` for names that a table cannot have.
  init(_ model: ManagedObjectModel) throws(StoreError) {
    topology = ModelTopology(model: model)
    let roots = model.entities.filter { $0.superentityName == nil }.map(\.name)
    try Self.check(roots)
    try Self.checkDerivations(of: model)
    for root in roots { chooseKey(of: root) }
    for root in roots { addTable(of: root) }
    for entity in model.entities {
      for relationship in entity.relationships where topology.needsPairs(relationship) {
        addPairs(relationship, of: entity.name)
      }
    }
    for entity in model.entities { addUniqueIndexes(of: entity) }
    for entity in model.entities { addFetchIndexes(of: entity) }
  }

  /// All statements, in the order in which they must run.
  var statements: [String] { tables.map(\.statement) + additions }

  private static func check(_ roots: [String]) throws(StoreError) {
    func refuse(_ name: String, _ why: String) -> StoreError {
      StoreError(
        .unsupported, doing: "creating a store", subject: name, detail: why,
        remedy: "rename the entity")
    }
    for (index, name) in roots.enumerated() {
      if name.lowercased().hasPrefix("sqlite_") || name.isSameName(as: StoredModel.tableName) {
        throw refuse(name, "a table cannot have this name")
      }
      if let twin = roots[..<index].first(where: { $0.isSameName(as: name) }) {
        throw refuse(name, "to SQLite it is the same name as \(twin)")
      }
      if name.utf8.contains(0) { throw refuse(name, "the name has a NUL in it") }
    }
  }

  private static func checkDerivations(of model: ManagedObjectModel) throws(StoreError) {
    for entity in model.entities {
      for attribute in entity.attributes where DerivedAttribute(attribute, of: entity) == nil {
        guard let derivation = attribute.details.derivation else { continue }
        throw StoreError(
          .unsupported, doing: "creating a store", subject: "\(entity.name).\(attribute.name)",
          detail: "it is derived as “\(derivation.expression)”, which cannot be computed",
          remedy: "make it an ordinary attribute")
      }
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
      var own = entity.superentityName.flatMap { columns[$0] } ?? [:]
      var orders = entity.superentityName.flatMap { orderColumns[$0] } ?? [:]
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
        guard topology.model.inverse(of: relationship)?.isOrdered == true else { continue }
        let order = "\(column)_position"
        orders[relationship.name] = table.add(.order(order), orNamed: "_\(order)")
      }
      columns[entity.name] = own
      orderColumns[entity.name] = orders
    }
    tables.append(table)
  }

  /// The REFERENCES clause of a to-one; nil if a deleted destination leaves the key in place (No
  /// Action).
  ///
  /// A required to-one is not declared NOT NULL, because objects that refer to each other could not
  /// be inserted then.
  private func reference(of relationship: RelationshipDescription) -> TableBlueprint.Reference? {
    let onDelete: String
    switch topology.model.inverse(of: relationship)?.deleteRule ?? .nullify {
    case .noAction: return nil
    case .nullify: onDelete = "SET NULL"
    case .setDefault: onDelete = "SET DEFAULT"
    case .cascade: onDelete = "CASCADE"
    case .deny: onDelete = "NO ACTION"
    }
    let table = topology.root(of: relationship.destinationEntityName)
    return keyColumns[table].map {
      TableBlueprint.Reference(table: table, column: $0, onDelete: onDelete)
    }
  }

  mutating func addIndex(
    on columns: [String], of table: String, isUnique: Bool = false,
    descending: Set<String> = [], where condition: String = ""
  ) {
    let name = "index \(table) \(columns.joined(separator: " "))"
    let list = columns.map { SQL.quote($0) + (descending.contains($0) ? " DESC" : "") }
      .joined(separator: ", ")
    // The number makes names unique that consist of the same words.
    additions.append(
      "CREATE \(isUnique ? "UNIQUE " : "")INDEX \(SQL.quote("\(name) \(additions.count + 1)"))"
        + " ON \(SQL.quote(table))(\(list))\(condition)")
  }

  private mutating func addUniqueIndexes(of entity: EntityDescription) {
    let root = topology.root(of: entity.name)
    for constraint in topology.model.ownUniquenessConstraints(of: entity) {
      let list = constraint.compactMap { columns[entity.name]?[$0] }
      guard !list.isEmpty, list.count == constraint.count else { continue }
      var condition = ""
      if let entityColumn = entityColumns[root], entity.name != root {
        let names = topology.model.entityNames(inheritingFrom: entity.name).map { SQL.literal($0) }
        condition = " WHERE \(SQL.quote(entityColumn)) IN (\(names.joined(separator: ", ")))"
      }
      addIndex(on: list, of: root, isUnique: true, where: condition)
    }
  }
}

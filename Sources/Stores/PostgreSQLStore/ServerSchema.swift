import ObjectModel
import SQLQueries

/// The entities of a database, and the columns that they are made of.
struct ServerSchema: Sendable {
  /// The rows of one entity.
  struct Table: Sendable {
    /// The columns, in the order of the entity's attributes.
    var types: [ServerType]
    /// Their types as they are written in a statement, in the same order.
    var typeNames: [String]
    /// Whether the system column `xmin` tells one version of a row from another.
    var hasVersions: Bool
    /// Whether keys are given only with OVERRIDING SYSTEM VALUE.
    var hasAlwaysIdentity: Bool
    /// Whether it is a table, which may have triggers that notify of every change.
    var mayNotify: Bool
    /// Whether some of its rows lie on other servers.
    var isForeign: Bool
  }

  let layout: StoreLayout
  let tables: [String: Table]
  let collations: ServerCollations

  /// Reads the entities of a database.
  ///
  /// - Parameters:
  ///   - named: The key columns that somebody has named of tables, by entity.
  ///   - connection: The connection.
  /// - Throws: ``StoreError`` if the catalog cannot be read, or has no such table or column.
  init(keys named: [String: [String]] = [:], _ connection: ServerConnection) throws(StoreError) {
    let reader = try CatalogReader(connection)
    let catalog = reader.catalog
    let named = try reader.keys(named: named)
    let keys = catalog.tables.map {
      Self.key(of: $0, reader.columns[$0.name] ?? [], named: named[$0.name])
    }
    let relationships = RelationshipPlan(catalog, keys: keys)
    var entities: [EntityDescription] = []
    var entityTables: [String: EntityTable] = [:]
    var tables: [String: Table] = [:]
    for (index, table) in catalog.tables.enumerated() {
      guard let relation = reader.relations[table.name] else { continue }
      let columns = reader.columns[table.name] ?? []
      let (key, part) = (keys[index], relationships.parts[index])
      entities.append(
        EntityDescription(
          name: table.name,
          attributes: zip(table.columns, columns).map { Self.attribute($0, $1) },
          relationships: part.descriptions,
          uniquenessConstraints: table.uniqueIndexes.filter { !$0.isPrimaryKey }.map(\.columns),
          keyAttributes: key.columns, readOnlyReason: Self.readOnlyReason(of: relation, key),
          details: relation.comment.isEmpty
            ? nil : EntityDetails(userInfo: ["comment": relation.comment])))
      entityTables[table.name] = EntityTable(
        name: relation.name, schema: relation.schema, key: key,
        columns: table.columns.map(\.name), toOne: part.toOne, toMany: part.toMany)
      tables[table.name] = Table(
        types: columns.map(\.type), typeNames: columns.map(\.typeName),
        hasVersions: "rp".contains(relation.kind) && key != .none && !relation.isForeign,
        hasAlwaysIdentity: columns.contains(where: \.isAlwaysIdentity),
        mayNotify: "rpf".contains(relation.kind), isForeign: relation.isForeign)
    }
    layout = StoreLayout(model: ManagedObjectModel(entities: entities), tables: entityTables)
    self.tables = tables
    collations = reader.collations
  }

  /// The key of a table: the one that was named, its primary key, or columns that are never NULL and
  /// unique together.
  private static func key(
    of table: Catalog.Table, _ columns: [CatalogReader.Column], named: [String]?
  ) -> EntityTable.Key {
    func isKey(_ index: Catalog.Index) -> Bool {
      index.columns.allSatisfy { name in
        table.columns.first { $0.name == name }?.isNotNull ?? false
      }
    }
    let index = table.indexes.first { $0.isPrimaryKey || isKey($0) }
    guard let names = named ?? (table.kind == .table ? index?.columns : nil) else { return .none }
    if names.count == 1, let position = table.columns.firstIndex(where: { $0.name == names[0] }),
      case .integer = columns[position].type
    {
      return .rowid(name: names[0])
    }
    return .columns(names)
  }

  private static func attribute(_ column: Catalog.Column, _ more: CatalogReader.Column)
    -> AttributeDescription
  {
    let (type, encoding) = more.type.attribute
    var attribute = AttributeDescription(
      column.name, type, encoding: encoding,
      // The server fills a key, and whatever has a default that it computes.
      isOptional: !column.isNotNull || more.isIdentity || column.isGenerated,
      isReadOnly: column.isGenerated, declaredType: column.declaredType)
    if let text = column.defaultText, !column.isGenerated {
      if let value = defaultValue(text) {
        attribute.defaultValue = attribute.decode(value)
      } else {
        attribute.details.defaultExpression = text
      }
    }
    if !more.comment.isEmpty { attribute.details.property.userInfo["comment"] = more.comment }
    return attribute
  }

  /// The value of a default that is a literal, perhaps with a cast; nil for what the server computes.
  private static func defaultValue(_ text: String) -> Value? {
    DefaultLiteral.value(text.replacing(#/::[\w ".\[\]]+(\(\d+(,\d+)?\))?$/#, with: ""))
  }

  private static func readOnlyReason(of relation: CatalogReader.Relation, _ key: EntityTable.Key)
    -> String?
  {
    switch relation.kind {
    case "v": "\(relation.name) is a view"
    case "m": "\(relation.name) is a materialized view"
    case _ where key == .none:
      "\(relation.name) has no key; if columns tell its rows apart, name them with --table-key"
    case _ where !relation.mayBeChanged: "you may only read \(relation.name)"
    default: nil
    }
  }
}

import ObjectModel
import SQLQueries

extension StoreBlueprint {
  /// A join table, seen from the end that names it.
  struct Pairs {
    let table: String
    let owner: ModelTopology.End
    let columns: (own: String, other: String)
    let orderColumns: (own: String?, other: String?)
  }

  /// Adds the join table of a relationship, unless its inverse has added it.
  mutating func addPairs(_ relationship: RelationshipDescription, of entity: String) {
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
    let order = relationship.isOrdered ? table.add(.order("position"), orNamed: "_position") : nil
    let inverseOrder =
      here != there && topology.model.inverse(of: relationship)?.isOrdered == true
      ? table.add(.order("inverse_position"), orNamed: "_inverse_position") : nil
    tables.append(table)
    addIndex(on: [otherColumn], of: table.name)
    if here == there { addMirror(of: table.name, ownColumn, otherColumn) }
    let result = Pairs(
      table: table.name, owner: here, columns: (ownColumn, otherColumn),
      orderColumns: (order, inverseOrder))
    pairs[here] = result
    if let there { pairs[there] = result }
  }

  /// Adds triggers that keep both directions of a relationship that is its own inverse, as between
  /// friends.
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

  /// The join table of a relationship, its columns named from the relationship's end.
  func joinTable(_ relationship: RelationshipDescription, of entity: String)
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
      orderColumn: isOwner ? pairs.orderColumns.own : pairs.orderColumns.other,
      inverseOrderColumn: isOwner ? pairs.orderColumns.other : pairs.orderColumns.own)
  }
}

extension TableBlueprint.Column {
  /// A column of order keys or positions.
  static func order(_ name: String) -> TableBlueprint.Column {
    TableBlueprint.Column(name: name, declaredType: "INTEGER")
  }
}

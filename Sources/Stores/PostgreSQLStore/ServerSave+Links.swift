import ObjectModel
import SQLQueries

extension ServerSave {
  /// Adds or removes the row of a join table.
  func write(_ link: ObjectLink, isLinked: Bool) throws(StoreError) {
    let (source, destination) = (permanent(link.source), permanent(link.destination))
    let (_, table) = try table(source.entityName)
    // A foreign key is written as the to-one at its own end. The rows of join tables are objects too,
    // which are deleted as such.
    guard case .join(let join)? = table.toMany[link.relationshipName],
      let pairs = store.schema.layout.tables[join.name]?.rows
    else { return }
    var ends: [(String, Value)] = []
    for (columns, referenced, id) in [
      (join.sourceColumns, join.sourceReferenced, source),
      (join.destinationColumns, join.destinationReferenced, destination),
    ] {
      let toOne = EntityTable.ToOne(
        columns: columns, referenced: referenced,
        referencesKey: try self.table(id.entityName).1.keyColumnNames == referenced)
      ends += zip(
        columns,
        try values(of: referenced, toOne, id, link.relationshipName, RowChange(id: source)))
    }
    if isLinked {
      try run("INSERT INTO \(pairs) (\(names: ends.map(\.0))) VALUES (\(ends.map(\.1)))")
    } else {
      let isPair = SQL.equal(ends.map { .name($0.0) }, ends.map { .value($0.1) })
      try run("DELETE FROM \(pairs) WHERE \(isPair)")
    }
  }
}

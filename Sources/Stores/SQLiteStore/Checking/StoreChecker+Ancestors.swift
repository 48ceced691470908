import ObjectModel
import SQLQueries

extension StoreChecker {
  /// Finds objects that are their own ancestors: objects of a to-one whose inverse deletes by
  /// cascade.
  mutating func checkAncestors(
    of relationship: RelationshipDescription, _ link: EntityTable.ToOne,
    of entity: EntityDescription, in table: EntityTable
  ) throws(StoreError) {
    guard !link.isInverse, let column = link.columns.first,
      destinationTable(of: relationship)?.name == table.name,
      layout.model.inverse(of: relationship)?.deleteRule == .cascade
    else { return }
    let key = SQL.column(column, of: "t")
    let statement = try prepare(
      "SELECT t.Z_PK, \(key) FROM \(name: table.name) t WHERE \(key) IS NOT NULL ORDER BY 1")
    var parents: [Int64: Int64] = [:]
    var keys: [Int64] = []
    while try statement.step() {
      parents[statement.integer(0)] = statement.integer(1)
      keys.append(statement.integer(0))
    }
    var found = Offenders()
    // Each object is visited once: with the number of the walk that came to it first.
    var walks: [Int64: Int] = [:]
    for (walk, start) in keys.enumerated() {
      var object = start
      while walks[object] == nil, let parent = parents[object] {
        walks[object] = walk
        object = parent
      }
      guard walks[object] == walk else { continue }
      let first = object
      repeat {
        found.add("\(object)")
        object = parents[object] ?? first
      } while object != first
    }
    report(
      .error, .ownAncestor, table: table.name, found,
      "are their own ancestors by \(relationship.name)",
      remedy: "set \(column) of one of them to NULL")
  }
}

import ObjectModel
import SQLQueries

/// Finds the join table of a many-to-many relationship among the tables of a store.
///
/// See core-data-stores 4.4.
struct JoinTableFinder {
  /// A table that was found, and its columns.
  struct Found {
    fileprivate let table: ActualTable
    /// The column of the first side's destinations.
    fileprivate let first: String
    /// The column of the second side's destinations, which are the first side's owners.
    fileprivate let second: String

    /// The join table from the side of the first relationship or of the other; its source is that
    /// relationship's owner.
    func joinTable(isFirst: Bool, isOrdered: Bool, isInverseOrdered: Bool) -> EntityTable.JoinTable
    {
      let (far, near) = isFirst ? (first, second) : (second, first)
      return EntityTable.JoinTable(
        name: table.name, sourceColumns: [near], sourceReferenced: [ActualTable.keyColumn],
        destinationColumns: [far], destinationReferenced: [ActualTable.keyColumn],
        orderColumn: isOrdered ? order(of: far) : nil,
        inverseOrderColumn: isInverseOrdered ? order(of: near) : nil)
    }

    /// The column of the order keys for a column; nil if there is none.
    private func order(of column: String) -> String? {
      table.column("Z_FOK_" + column.dropFirst(2))?.name
    }
  }

  let tables: ActualTables

  /// The join table of a relationship; nil if no table has its columns.
  func find(_ join: CoreDataNaming.Join) -> Found? {
    let named = join.tableNames.lazy.compactMap { tables[$0] }
    if let found = named.compactMap({ columns(of: join, in: $0) }).first { return found }
    // Under another name only if exactly one table has the columns.
    let others = tables.all.filter { !$0.holdsObjects }.compactMap { columns(of: join, in: $0) }
    return others.count == 1 ? others[0] : nil
  }

  private func columns(of join: CoreDataNaming.Join, in table: ActualTable) -> Found? {
    let first = table.columns(numbered: join.first.plainColumn).map(\.name)
    let second =
      join.isReflexive
      ? [CoreDataNaming.Join.reflexiveColumn].compactMap { table.column($0)?.name }
      : table.columns(numbered: join.second.plainColumn).map(\.name)
    // Either column may have the clash suffix, so several pairs may match: the shortest names are
    // taken.
    var best: Found?
    for first in first {
      for second in second where first != second {
        let length = first.count + second.count
        if best.map({ length < $0.first.count + $0.second.count }) ?? true {
          best = Found(table: table, first: first, second: second)
        }
      }
    }
    return best
  }
}

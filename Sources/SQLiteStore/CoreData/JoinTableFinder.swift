import ObjectModel

/// Finds the table of a many-to-many relationship among those that are there (core-data-stores 4.4).
struct JoinTableFinder {
  /// A table that was found, and its columns.
  struct Found {
    fileprivate let table: ActualTable
    /// The column of the objects that the first side leads to.
    fileprivate let first: String
    /// The column of the objects that the second side leads to: the first side's owners.
    fileprivate let second: String

    /// The table as a relationship of one side sees it.
    ///
    /// - Parameters:
    ///   - isFirst: Whether it is the first side's relationship.
    ///   - isOrdered: Whether that relationship is ordered.
    ///   - isInverseOrdered: Whether the other is.
    /// - Returns: The table, its columns named from the relationship's side.
    func joinTable(isFirst: Bool, isOrdered: Bool, isInverseOrdered: Bool) -> EntityTable.JoinTable
    {
      let (far, near) = isFirst ? (first, second) : (second, first)
      return EntityTable.JoinTable(
        name: table.name, sourceColumns: [near], sourceReferenced: [ActualTable.keyColumn],
        destinationColumns: [far], destinationReferenced: [ActualTable.keyColumn],
        orderColumn: isOrdered ? order(of: far) : nil,
        inverseOrderColumn: isInverseOrdered ? order(of: near) : nil)
    }

    /// The column that orders the objects of another; nil when there is none.
    private func order(of column: String) -> String? {
      table.column("Z_FOK_" + column.dropFirst(2))?.name
    }
  }

  let tables: ActualTables

  /// The table of a relationship; nil when none has the columns.
  func find(_ join: CoreDataNaming.Join) -> Found? {
    let named = join.tableNames.lazy.compactMap { tables[$0] }
    if let found = named.compactMap({ columns(of: join, in: $0) }).first { return found }
    // Named otherwise: only where no other table could be meant.
    let others = tables.all.filter { !$0.holdsObjects }.compactMap { columns(of: join, in: $0) }
    return others.count == 1 ? others[0] : nil
  }

  private func columns(of join: CoreDataNaming.Join, in table: ActualTable) -> Found? {
    let first = table.columns(numbered: join.first.plainColumn).map(\.name)
    let second =
      join.isReflexive
      ? [CoreDataNaming.Join.reflexiveColumn].compactMap { table.column($0)?.name }
      : table.columns(numbered: join.second.plainColumn).map(\.name)
    // A number may stand at either column, and names that differ in a number alone fit both: the nearest pair is meant.
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

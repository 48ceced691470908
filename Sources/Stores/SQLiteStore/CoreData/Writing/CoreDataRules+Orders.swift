import ObjectModel
import SQLQueries

// Ordered relationships and join tables as Core Data stores them: core-data-stores 4.4 and 4.7.
extension CoreDataRules {
  /// The order keys of a new row of a join table: after all others of both ends.
  func orderColumns(of source: [Value], _ destination: [Value], in table: EntityTable.JoinTable)
    throws(StoreError) -> [(name: String, value: SQL)]
  {
    var columns: [(name: String, value: SQL)] = []
    let ends = [
      (table.orderColumn, table.sourceColumns, source),
      (table.inverseOrderColumn, table.destinationColumns, destination),
    ]
    for (orderColumn, ownerColumns, owner) in ends {
      guard let orderColumn, let ownerColumn = ownerColumns.first,
        case .integer(let key)? = owner.first
      else { continue }
      let list = OrderWriter.OrderedList(
        table: table.name, orderColumn: orderColumn, ownerColumn: ownerColumn, owner: key)
      columns.append((orderColumn, .value(try orders.nextOrderKey(in: list))))
    }
    return columns
  }

  /// Whether the table is of a relationship that is its own inverse.
  func isMirrored(_ table: EntityTable.JoinTable) -> Bool {
    table.sourceColumns == [CoreDataNaming.Join.reflexiveColumn]
  }
}

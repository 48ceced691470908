import ObjectModel

/// A many-to-many relationship derived from the names of a join table, in a store without a model.
///
/// See core-data-stores 4.4.
struct JoinReading {
  /// One of the two relationships.
  struct End {
    let name: String
    /// The numbers of the source and destination entities.
    let owner: Int64
    let destination: Int64
    let inverse: String
    let isOrdered: Bool
  }

  let ends: [End]

  /// All join tables whose names can be parsed.
  static func all(in tables: ActualTables) -> [JoinReading] {
    tables.all.filter { !$0.holdsObjects }.compactMap(JoinReading.init)
  }

  /// Parses `Z_3MESSAGES (Z_3CHAT, Z_5MESSAGES)`: `messages` of entity 3 has the destination 5, and
  /// its inverse `chat` the destination 3.
  private init?(_ table: ActualTable) {
    guard let (owner, capitals) = table.name.numberAndName(after: "Z_") else { return nil }
    let columns = table.columnNames.compactMap { $0.numberAndName(after: "Z_") }
    let orders = Set(table.columnNames.filter { $0.hasPrefix("Z_FOK_") })
    func isOrdered(_ column: (number: Int64, name: String)) -> Bool {
      orders.contains("Z_FOK_\(column.number)\(column.name)")
    }
    guard let far = columns.first(where: { $0.name == capitals }) else { return nil }
    let name = capitals.lowercased()
    if table.column(CoreDataNaming.Join.reflexiveColumn) != nil, columns.count == 1 {
      ends = [
        End(
          name: name, owner: owner, destination: far.number, inverse: name,
          isOrdered: isOrdered(far))
      ]
      return
    }
    guard columns.count == 2, let near = columns.first(where: { $0 != far }) else { return nil }
    let inverse = near.name.lowercased()
    ends = [
      End(
        name: name, owner: owner, destination: far.number, inverse: inverse,
        isOrdered: isOrdered(far)),
      End(
        name: inverse, owner: far.number, destination: near.number, inverse: name,
        isOrdered: isOrdered(near)),
    ]
  }
}

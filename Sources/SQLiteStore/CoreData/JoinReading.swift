import ObjectModel

/// What a table of pairs of a store without a model says of its relationship, by its names alone (core-data-stores 4.4).
struct JoinReading {
  /// One of the two relationships.
  struct End {
    let name: String
    /// The numbers of the entities that it comes from and leads to.
    let owner: Int64
    let destination: Int64
    let inverse: String
    let isOrdered: Bool
  }

  let ends: [End]

  /// All the tables of pairs that can be understood.
  static func all(in tables: ActualTables) -> [JoinReading] {
    tables.all.filter { !$0.holdsObjects }.compactMap(JoinReading.init)
  }

  /// `Z_3MESSAGES (Z_3CHAT, Z_5MESSAGES)`: messages of entity 3 lead to entity 5, and their inverse chat leads to 3.
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

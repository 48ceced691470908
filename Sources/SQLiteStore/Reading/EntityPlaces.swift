import ObjectModel

/// Tells the entities of rows by their places in a list of names, row after row.
struct EntityPlaces {
  private let column: Int32
  private var integers: [Int64: Int] = [:]
  private var others: [Value: Int] = [:]
  /// Rows of an entity mostly follow each other.
  private var last: (mark: Int64, place: Int)?

  /// Prepares for the rows of a statement.
  ///
  /// - Parameters:
  ///   - column: The column that tells a row's entity.
  ///   - entityNames: The names of entities by what stands in it.
  ///   - names: The names in order.
  init(column: Int32, entityNames: [Value: String], names: [String]) {
    self.column = column
    let places = Dictionary(
      zip(names, names.indices), uniquingKeysWith: { first, _ in first })
    for (mark, name) in entityNames {
      guard let place = places[name] else { continue }
      if case .integer(let number) = mark { integers[number] = place } else { others[mark] = place }
    }
  }

  /// The place of a row's entity; 0, the declared entity's, for a row of none.
  mutating func next(_ row: borrowing Statement) -> Int {
    guard row.isInteger(column) else { return others[row.value(column)] ?? 0 }
    let mark = row.integer(column)
    if let last, last.mark == mark { return last.place }
    let place = integers[mark] ?? 0
    last = (mark, place)
    return place
  }
}

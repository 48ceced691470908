import ObjectModel

/// Maps the entity column of rows to indexes in a list of entity names.
struct EntityIndexes {
  private let column: Int32
  /// The indexes of the small integers that are numbers of entities as a rule; -1 for no entity.
  private var small = Array(repeating: -1, count: 256)
  private var others: [Value: Int] = [:]

  /// Creates the mapping for the rows of a statement.
  init(column: Int32, entityNames: [Value: String], names: [String]) {
    self.column = column
    let indexes = Dictionary(firstOf: zip(names, names.indices))
    for (mark, name) in entityNames {
      guard let index = indexes[name] else { continue }
      if case .integer(let number) = mark, let place = Int(exactly: number),
        small.indices.contains(place)
      {
        small[place] = index
      } else {
        others[mark] = index
      }
    }
  }

  /// The index of a row's entity; nil if the model does not have it.
  func index<Row: StoredRow & ~Copyable>(_ row: borrowing Row) -> Int? {
    if row.isInteger(column) {
      let mark = row.integer(column)
      if mark >= 0, mark < small.count {
        let index = small[Int(mark)]
        return index < 0 ? nil : index
      }
    }
    return others[row.value(column)]
  }
}

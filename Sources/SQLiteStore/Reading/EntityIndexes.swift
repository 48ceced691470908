import ObjectModel

/// Maps the entity column of consecutive rows to indexes in a list of entity names.
struct EntityIndexes {
  private let column: Int32
  private var integers: [Int64: Int] = [:]
  private var others: [Value: Int] = [:]
  /// The last row's value and index: rows of one entity usually follow each other.
  private var last: (mark: Int64, index: Int)?

  /// Creates the mapping for the rows of a statement.
  init(column: Int32, entityNames: [Value: String], names: [String]) {
    self.column = column
    let indexes = Dictionary(firstOf: zip(names, names.indices))
    for (mark, name) in entityNames {
      guard let index = indexes[name] else { continue }
      if case .integer(let number) = mark { integers[number] = index } else { others[mark] = index }
    }
  }

  /// The index of a row's entity; 0, the declared entity's, for an unknown value.
  mutating func next<Row: StoredRow & ~Copyable>(_ row: borrowing Row) -> Int {
    guard row.isInteger(column) else { return others[row.value(column)] ?? 0 }
    let mark = row.integer(column)
    if let last, last.mark == mark { return last.index }
    let index = integers[mark] ?? 0
    last = (mark, index)
    return index
  }
}

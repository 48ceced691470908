import SQLQueries

extension CoreDataSchema {
  /// The names of entities in the model, by number (Z_ENT).
  var entityNames: [Int64: String] {
    Dictionary(
      entityNumbers.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
  }
}

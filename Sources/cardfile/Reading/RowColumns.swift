import ObjectModel

/// Which columns rows have.
enum RowColumns {
  /// The same for every object.
  case fixed([OutputColumn])
  /// All that an object's own entity has, which may be more than the entity that was fetched.
  case whole(relationships: Bool)

  /// The columns of an object of an entity.
  func columns(of entity: EntityDescription) -> [OutputColumn] {
    switch self {
    case .fixed(let columns): columns
    case .whole(let relationships): OutputColumn.whole(of: entity, relationships: relationships)
    }
  }
}

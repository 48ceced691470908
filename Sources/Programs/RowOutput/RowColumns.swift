package import ObjectModel

/// The columns of rows.
package enum RowColumns {
  /// The same for every object.
  case fixed([OutputColumn])
  /// Those of each object's own entity, which can have more than the entity that was fetched.
  case whole(relationships: Bool)

  /// The columns of an object of an entity.
  package func columns(of entity: EntityDescription) -> [OutputColumn] {
    switch self {
    case .fixed(let columns): columns
    case .whole(let relationships): OutputColumn.whole(of: entity, relationships: relationships)
    }
  }
}

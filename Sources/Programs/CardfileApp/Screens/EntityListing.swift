import ObjectModel

/// The entities that the list of entities shows, in order.
struct EntityListing {
  typealias Entity = ManagedObjectModel.RankedEntity

  /// The entities shown.
  let shown: [Entity]
  /// How many are left out because they have no objects.
  let emptyCount: Int

  /// Chooses the entities.
  ///
  /// - Parameters:
  ///   - all: All entities, each after its parent.
  ///   - filter: The typed text; empty for all. It finds empty entities too.
  ///   - isEmpty: Whether an entity is known to have no objects.
  init(_ all: [Entity], filter: String, isEmpty: (EntityDescription) -> Bool) {
    guard filter.isEmpty else {
      emptyCount = 0
      shown = Self.matching(all, TextFolding.folded(filter))
      return
    }
    let filled = all.filter { !isEmpty($0.entity) }
    // A store without any object shows what it could have.
    shown = filled.isEmpty ? all : filled
    emptyCount = all.count - shown.count
  }

  /// The entity of that name first, then those that begin with the text, then the others with it.
  private static func matching(_ all: [Entity], _ wanted: String) -> [Entity] {
    let named = all.map { ($0, TextFolding.folded($0.entity.name)) }
    let exact = named.filter { $0.1 == wanted }
    let first = named.filter { $0.1 != wanted && $0.1.hasPrefix(wanted) }
    let other = named.filter { !$0.1.hasPrefix(wanted) && $0.1.contains(wanted) }
    return (exact + first + other).map(\.0)
  }
}

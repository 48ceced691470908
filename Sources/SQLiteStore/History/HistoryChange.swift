import ObjectModel

/// What a save did to one object, for the history.
struct HistoryChange: Hashable, Sendable {
  /// What happened.
  enum Kind: Hashable, Sendable {
    /// The object is new.
    case insert
    /// Properties changed; of the to-ones in `orders` only the place in the ordered to-many at the other end.
    case update(properties: Set<String>, orders: Set<String> = [])
    /// The object is gone; the stored values that it had, in the order of its entity's attributes.
    case delete([Value])
  }

  /// The object's own entity.
  let entityName: String
  /// Its Z_PK.
  let key: Int64
  let kind: Kind
}

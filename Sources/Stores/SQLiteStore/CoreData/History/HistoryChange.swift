import ObjectModel

/// A change of one object by a save, for persistent history.
struct HistoryChange: Hashable, Sendable {
  /// The kind of a change.
  enum Kind: Hashable, Sendable {
    /// The object was inserted.
    case insert
    /// Properties changed. Of the to-ones in `orders` only the order key changed.
    case update(properties: Set<String>, orders: Set<String> = [])
    /// The object was deleted; its stored values, in the order of its entity's attributes.
    case delete([Value])
  }

  /// The object's own entity.
  let entityName: String
  /// Its Z_PK.
  let key: Int64
  let kind: Kind
}

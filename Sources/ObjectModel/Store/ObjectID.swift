/// The identity of an object: its store, its entity and its key.
///
/// It is passed between threads, undo steps and processes in place of an object.
public struct ObjectID: Sendable {
  /// The identifier of the store; empty for a temporary ID.
  public let storeIdentifier: String
  /// The name of the object's own entity, not of a superentity.
  public let entityName: String
  /// The key within the entity.
  public let key: ObjectKey

  /// Creates an ID.
  public init(storeIdentifier: String, entityName: String, key: ObjectKey) {
    self.storeIdentifier = storeIdentifier
    self.entityName = entityName
    self.key = key
  }

  /// Whether the object has not been saved yet; a save gives it a permanent ID.
  public var isTemporary: Bool {
    if case .temporary = key { true } else { false }
  }
}

extension ObjectID {
  /// The stored values of the key; empty if it is temporary.
  package var keyValues: [Value] {
    switch key {
    case .integer(let key): [.integer(key)]
    case .composite(let values): values
    case .temporary: []
    }
  }
}

extension ObjectID: Hashable {
  /// Compares the keys first, because the names are nearly always equal.
  public static func == (lhs: ObjectID, rhs: ObjectID) -> Bool {
    lhs.key == rhs.key && lhs.entityName == rhs.entityName
      && lhs.storeIdentifier == rhs.storeIdentifier
  }

  /// Hashes only the key, which is nearly always enough and faster than hashing text.
  public func hash(into hasher: inout Hasher) {
    if case .integer(let number) = key { hasher.combine(number) } else { hasher.combine(key) }
  }
}

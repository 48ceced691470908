/// The name of an object: the store it is in, its entity, and its key there.
///
/// It is what crosses threads, undo steps and processes in place of an object.
public struct ObjectID: Sendable {
  /// The identifier of the store; empty for a temporary ID.
  public let storeIdentifier: String
  /// The name of the object's own (most derived) entity.
  public let entityName: String
  /// The key within the entity.
  public let key: ObjectKey

  /// Names an object.
  ///
  /// - Parameters:
  ///   - storeIdentifier: The identifier of the store; empty while the ID is temporary.
  ///   - entityName: The name of the object's own entity.
  ///   - key: Its key.
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

extension ObjectID: Hashable {
  /// Compares the key first: the names are nearly always equal.
  public static func == (lhs: ObjectID, rhs: ObjectID) -> Bool {
    lhs.key == rhs.key && lhs.entityName == rhs.entityName
      && lhs.storeIdentifier == rhs.storeIdentifier
  }

  /// Hashes the key alone, which tells nearly all objects apart and costs no text.
  public func hash(into hasher: inout Hasher) {
    if case .integer(let number) = key { hasher.combine(number) } else { hasher.combine(key) }
  }
}

import Synchronization

/// The store and the entity of object IDs.
///
/// There is one for each store and entity, so that an ID is small and scopes are equal only if they
/// are the same.
package final class ObjectIDScope: Sendable {
  private struct Names: Hashable {
    let storeIdentifier: String
    let entityName: String
  }

  private static let scopes = Mutex<[Names: ObjectIDScope]>([:])

  package let storeIdentifier: String
  package let entityName: String
  /// Is part of the hash of each key, and differs between processes, so that no store can have keys
  /// with equal hashes on purpose.
  ///
  /// Each scope has a copy, which costs less to read than a static constant: that is checked for
  /// being initialized each time.
  let salt = ObjectIDScope.commonSalt

  private static let commonSalt = UInt64.random(in: .min ... .max)
  private init(_ names: Names) {
    storeIdentifier = names.storeIdentifier
    entityName = names.entityName
  }

  /// Returns the scope of a store and an entity, for as long as the process runs.
  package static func of(storeIdentifier: String, entityName: String) -> ObjectIDScope {
    let names = Names(storeIdentifier: storeIdentifier, entityName: entityName)
    return scopes.withLock { scopes in
      if let known = scopes[names] { return known }
      let scope = ObjectIDScope(names)
      scopes[names] = scope
      return scope
    }
  }
}

extension ObjectIDScope: Hashable {
  package static func == (lhs: ObjectIDScope, rhs: ObjectIDScope) -> Bool { lhs === rhs }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

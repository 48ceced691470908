import ObjectModel

/// By what the objects of a store are the same as those of another one.
final class ObjectIdentities {
  /// The key, or the values of attributes, of an object of an entity.
  struct Identity: Hashable {
    let entityName: String
    var key: ObjectKey?
    var values: [Value] = []
  }

  private let store: any PersistentStore
  private let keys: [String: [String]]
  /// The identities that were read last.
  private var known: [ObjectID: Identity] = [:]

  private static let mostKnown = 50_000

  init(of store: any PersistentStore, _ keys: [String: [String]]) {
    (self.store, self.keys) = (store, keys)
  }

  /// The identities of objects that relationships lead to.
  func identities(of ids: [ObjectID]) throws(StoreError) -> [Identity] {
    let unread = ids.filter { keys[$0.entityName] != nil && known[$0] == nil }
    if !unread.isEmpty {
      if known.count > Self.mostKnown { known = [:] }
      for (id, row) in zip(unread, try store.rows(of: unread)) {
        known[id] = identity(of: id, row)
      }
    }
    return ids.map { known[$0] ?? Identity(entityName: $0.entityName, key: $0.key) }
  }

  private func identity(of id: ObjectID, _ row: RowSnapshot?) -> Identity {
    let entity = store.model.entity(named: id.entityName)
    let values = (keys[id.entityName] ?? []).map { name -> Value in
      guard let row, let index = entity?.attributeIndex(name) else { return .null }
      return entity?.attributes[index].decode(row.values[index]) ?? .null
    }
    // Objects are not equal by a value that both lack.
    guard !values.contains(.null) else { return Identity(entityName: id.entityName, key: id.key) }
    return Identity(entityName: id.entityName, values: values)
  }
}

import ObjectModel

/// Finds out what the service has done of changes to which no answer came.
struct LostAnswer {
  let remote: RemoteState
  /// The keys of the objects of the save, of new ones as far as they are known.
  let keys: [ObjectID: RESTKey]

  private var store: RESTStore { remote.store }

  /// Finds out whether the service has made changes.
  ///
  /// - Parameter batch: Changes that were sent together.
  /// - Returns: The changes with the objects as they are now; nil if none was made.
  /// - Throws: `StoreError` with the reason `conflict` if somebody has changed an object in another
  ///   way.
  func changesMade(of batch: [RESTChange]) throws(StoreError)
    -> [(change: RESTChange, object: RemoteObject?)]?
  {
    let isIdempotent = try store.withClient { [batch] client throws(StoreError) in
      batch.allSatisfy {
        $0.kind == .create && client.capabilities(of: $0.entity).contains(.idempotency)
      }
    }
    // The service itself knows it when it is sent again.
    if isIdempotent { return nil }
    var found: [(change: RESTChange, object: RemoteObject?)] = []
    for change in batch {
      switch change.kind {
      case .delete: if try remote.read(change) == nil { found.append((change, nil)) }
      case .update:
        guard let object = try remote.read(change) else { throw try remote.conflict(change) }
        if holds(change, object) {
          found.append((change, object))
          continue
        }
        let isSame =
          try object.version == nil
          ? remote.isCached(object, change.id) : object.version == change.version
        if !isSame { throw try remote.conflict(change, as: object) }
      case .create:
        if change.key == nil {
          if let object = try findNew(change) { found.append((change, object)) }
        } else if let object = try remote.read(change) {
          found.append((change, object))
        }
      }
    }
    guard found.count == batch.count else {
      // Changes that go together are made together.
      guard found.isEmpty || batch.count == 1 else {
        throw StoreError(.other, doing: remote.doing, detail: "a part of it was saved there")
      }
      return nil
    }
    return found
  }

  /// Whether an object has what a change was to give it.
  private func holds(_ change: RESTChange, _ object: RemoteObject) -> Bool {
    for (name, value) in change.values {
      guard let attribute = change.entity.attribute(named: name) else { continue }
      if let present = object.values[name], present != attribute.value(from: JSONValue(value)) {
        return false
      }
    }
    for (name, destination) in change.toOne {
      guard let present = object.references[name] else { continue }
      if present.first?.key.text != destination.flatMap({ keys[$0] })?.text { return false }
    }
    return true
  }

  /// The object of the service with the values of a new one that neither the cache nor another change
  /// has; nil if there is none.
  private func findNew(_ change: RESTChange) throws(StoreError) -> RemoteObject? {
    let taken = Set(keys.values).union(store.createdKeys(of: change.entity))
    var found: [RemoteObject] = []
    for object in try candidates(change) where holds(change, object) {
      if taken.contains(object.key) { continue }
      if let number = try store.keys.number(of: object.key, in: object.entity.name),
        try store.cache.rows(of: [store.keys.id(object.entity.name, number)])[0] != nil
      {
        continue
      }
      found.append(object)
    }
    guard found.count < 2 else {
      throw StoreError(
        .other, doing: remote.doing, subject: change.entity.name,
        detail: "the service has several new objects like it", objectIDs: [change.id])
    }
    return found.first
  }

  /// The objects that a new one may be: if the service filters, those with its values.
  private func candidates(_ change: RESTChange) throws(StoreError) -> [RemoteObject] {
    let values = change.values.sorted { $0.key < $1.key }.compactMap { name, value in
      switch value {
      case .string, .integer:
        FetchPredicate.Node.comparison(.init(.keyPath([name]), .equal, .constant(value)))
      default: nil
      }
    }
    let predicate =
      values.isEmpty
      ? nil
      : try? FetchPredicate(.and(values)).validated(forEntity: change.entity.name, in: store.model)
    return try PageWalk(store: store, entity: change.entity, control: .current)
      .objects(meeting: predicate)
  }
}

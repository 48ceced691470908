import ObjectModel

/// How the objects of a save are in the service, asked one by one.
struct RemoteState {
  let store: RESTStore
  /// The save, for errors.
  let doing: String

  /// The object in the answer to a request; nil if it is gone.
  func read(_ request: HTTPRequest, _ entity: EntityDescription) throws(StoreError)
    -> RemoteObject?
  {
    try store.objects(request, of: entity, doing: doing)?.first
  }

  /// The object of a change; nil if it is gone, or new.
  func read(_ change: RESTChange) throws(StoreError) -> RemoteObject? {
    guard let key = change.key else { return nil }
    let request = try store.withClient { client throws(StoreError) in
      client.request(forObject: key, of: change.entity)
    }
    return try read(request, change.entity)
  }

  /// Whether an object is in the cache as it is in the service.
  func isCached(_ object: RemoteObject, _ id: ObjectID) throws(StoreError) -> Bool {
    guard let row = try store.cache.rows(of: [id])[0] else { return false }
    for (index, attribute) in object.entity.attributes.enumerated() {
      guard let value = object.values[attribute.name] else { continue }
      let stored =
        row.cutLengths[index] == nil
        ? row.value(at: index) : try store.cache.value(of: attribute.name, for: id)
      if attribute.decode(stored) != value { return false }
    }
    return true
  }

  /// The error for an object that somebody else has changed or deleted; the cache learns how it is.
  func conflict(_ change: RESTChange, as object: RemoteObject? = nil) throws(StoreError)
    -> StoreError
  {
    var difference = SaveDifference()
    var present = object
    if present == nil { present = try read(change) }
    if let object = present {
      // What is written here is newer than the save that is under way.
      _ = try store.writer.write(CacheChange(objects: [object]))
      difference.changed = [change.id]
    } else if !change.id.isTemporary {
      _ = try store.writer.write(CacheChange(deleted: [change.id]))
      difference.deleted = [change.id]
    } else {
      return StoreError(
        .other, doing: doing, subject: change.entity.name,
        detail: "the service says that it conflicts with another object", objectIDs: [change.id])
    }
    return StoreError(difference, doing: doing)
  }
}

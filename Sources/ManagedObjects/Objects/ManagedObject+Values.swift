public import ObjectModel

extension ManagedObject {
  /// An attribute's value, as a person means it: a date, a boolean, a decimal.
  ///
  /// Reading fires a fault. Null for an unknown key or an object that is gone. A value that does not fit is not set, and the
  /// context's `onError` is told; ``setValue(_:forKey:)`` throws instead.
  public subscript(_ key: String) -> Value {
    get { value(forKey: key) }
    set {
      do { try setValue(newValue, forKey: key) } catch { managedObjectContext?.report(error) }
    }
  }

  /// An attribute's value, as a person means it.
  ///
  /// - Parameter key: The attribute.
  /// - Returns: The value; null for an unknown key or an object that is gone. Long text and bytes may be cut, see
  ///   ``cutLength(forKey:)``.
  public func value(forKey key: String) -> Value {
    guard let place = info.entity.attributeIndex(key),
      let value = managedObjectContext?.readableRow(of: objectID)?.value(at: place)
    else { return .null }
    return info.entity.attributes[place].decode(value)
  }

  /// An attribute's value as it stands in the store.
  ///
  /// - Parameter key: The attribute.
  /// - Returns: The stored value; null for an unknown key or an object that is gone.
  public func storedValue(forKey key: String) -> Value {
    guard let place = entity.attributeIndex(key) else { return .null }
    return managedObjectContext?.readableRow(of: objectID)?.value(at: place) ?? .null
  }

  /// The whole length in bytes of a value that is held cut.
  ///
  /// - Parameter key: The attribute.
  /// - Returns: The length; nil when the value is whole.
  public func cutLength(forKey key: String) -> Int? {
    guard let place = entity.attributeIndex(key) else { return nil }
    return managedObjectContext?.readableRow(of: objectID)?.cutLengths[place]
  }

  /// An attribute's whole value, read from the store when it is held cut.
  ///
  /// - Parameter key: The attribute.
  /// - Returns: The value, as a person means it.
  /// - Throws: ``ManagedObjectError`` when it cannot be read.
  public func wholeValue(forKey key: String) throws -> Value {
    guard let context = managedObjectContext, cutLength(forKey: key) != nil,
      let attribute = entity.attribute(named: key)
    else { return value(forKey: key) }
    let id = objectID
    return attribute.decode(
      try context.reading("reading \(key)") { store throws(StoreError) in
        try store.value(of: key, for: id)
      })
  }

  /// Sets an attribute; its stored form keeps the format of the old one.
  ///
  /// A foreign key sets its relationship too. A value equal to the saved one takes the change back.
  ///
  /// - Parameters:
  ///   - value: The value, as a person means it.
  ///   - key: The attribute.
  /// - Throws: ``ManagedObjectError`` when the attribute cannot have that value, or cannot be changed.
  public func setValue(_ value: Value, forKey key: String) throws {
    let context = try changeableContext("setting \(key)")
    guard let place = info.entity.attributeIndex(key) else { throw unknownKey(key, "setting") }
    let attribute = info.entity.attributes[place]
    if attribute.isReadOnly {
      throw ManagedObjectError(
        .readOnly, doing: "setting \(key)", subject: displayName,
        detail: "the store computes it", objectIDs: [objectID])
    }
    let current = context.readableRow(of: objectID)?.value(at: place) ?? .null
    let stored: Value
    do {
      let committed = context.committedRow(of: objectID)?.value(at: place) ?? .null
      stored = try attribute.encode(value, like: committed.isNull ? current : committed)
    } catch {
      throw ManagedObjectError(
        .wrongType, doing: "setting \(key)", subject: displayName,
        detail: String(describing: error), objectIDs: [objectID])
    }
    guard stored != current else { return }
    if info.keyAttributes.contains(place), !(isInserted && objectID.isTemporary) {
      throw ManagedObjectError(
        .readOnly, doing: "setting \(key)", subject: displayName,
        detail: "the key of a saved object cannot be changed",
        remedy: "make a new object and delete this one", objectIDs: [objectID])
    }
    try context.setAttribute(place, to: stored, of: self)
    context.undoHistory.suggest(
      ActionSuggestion(verb: .change, entityName: info.entity.name, name: key))
  }

  /// What was changed and not saved: attributes and their new values, as a person means them.
  ///
  /// - Returns: The values by attribute name; all that are not null for a new object.
  public func changedValues() -> [String: Value] {
    guard let context = managedObjectContext, let pending = context.pending[objectID],
      let current = pending.current
    else { return [:] }
    var changed: [String: Value] = [:]
    for (place, attribute) in entity.attributes.enumerated() {
      let value = current.value(at: place)
      guard value != (pending.base?.value(at: place) ?? .null) else { continue }
      changed[attribute.name] = attribute.decode(value)
    }
    return changed
  }

  /// The names of attributes and to-one relationships with unsaved changes.
  public var changedKeys: Set<String> { managedObjectContext?.changedKeys(of: objectID) ?? [] }

  /// An attribute's value as it was last saved or read, as a person means it.
  ///
  /// - Parameter key: The attribute.
  /// - Returns: The value; null for a new object.
  public func committedValue(forKey key: String) -> Value {
    guard let place = entity.attributeIndex(key),
      let row = managedObjectContext?.committedRow(of: objectID)
    else { return .null }
    return entity.attributes[place].decode(row.value(at: place))
  }

  func changeableContext(_ doing: @autoclosure () -> String) throws -> ManagedObjectContext {
    guard let context = managedObjectContext, context.isChangeable(objectID) else {
      throw ManagedObjectError(
        .gone, doing: doing(), subject: displayName, objectIDs: [objectID])
    }
    try context.checkWritable(info.entity, doing: doing())
    return context
  }

  func unknownKey(_ key: String, _ doing: String) -> ManagedObjectError {
    let names = entity.attributes.map(\.name) + entity.relationships.map(\.name)
    let near = NearestNames.suggestions(for: key, in: names)
    return ManagedObjectError(
      .unknownKey, doing: "\(doing) \(key)", subject: entity.name,
      remedy: near.isEmpty ? "" : near.joined(separator: ", "), objectIDs: [objectID])
  }
}

extension RowSnapshot {
  /// The stored value at a place; null when a store gave fewer values than its entity has attributes.
  func value(at place: Int) -> Value { values.indices.contains(place) ? values[place] : .null }

  func destination(at place: Int) -> ObjectID? {
    toOne.indices.contains(place) ? toOne[place] : nil
  }
}

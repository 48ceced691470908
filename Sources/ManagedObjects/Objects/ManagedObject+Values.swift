public import ObjectModel

extension ManagedObject {
  /// An attribute's decoded value: a date, a Boolean, a decimal.
  ///
  /// Reading fires a fault; the value is null for an unknown key or if the row no longer exists. A
  /// value that the attribute cannot have is not set but reported to the context's `onError`;
  /// ``setValue(_:forKey:)`` throws instead.
  public subscript(_ key: String) -> Value {
    get { value(forKey: key) }
    set {
      do { try setValue(newValue, forKey: key) } catch { managedObjectContext?.report(error) }
    }
  }

  /// An attribute's decoded value.
  ///
  /// - Parameter key: The attribute.
  /// - Returns: The value; null for an unknown key or if the row no longer exists. Long text and
  ///   bytes may be truncated: see ``cutLength(forKey:)``.
  public func value(forKey key: String) -> Value {
    guard let index = info.entity.attributeIndex(key),
      let value = managedObjectContext?.readableRow(of: objectID)?.value(at: index)
    else { return .null }
    return info.entity.attributes[index].decode(value)
  }

  /// An attribute's value as the store keeps it.
  ///
  /// - Parameter key: The attribute.
  /// - Returns: The stored value; null for an unknown key or if the row no longer exists.
  public func storedValue(forKey key: String) -> Value {
    guard let index = entity.attributeIndex(key) else { return .null }
    return managedObjectContext?.readableRow(of: objectID)?.value(at: index) ?? .null
  }

  /// The full length in bytes of a value that was read truncated.
  ///
  /// - Parameter key: The attribute.
  /// - Returns: The length; nil if the value is not truncated.
  public func cutLength(forKey key: String) -> Int? {
    guard let index = entity.attributeIndex(key) else { return nil }
    return managedObjectContext?.readableRow(of: objectID)?.cutLengths[index]
  }

  /// An attribute's full decoded value, read from the store if it was read truncated before.
  ///
  /// - Throws: ``ManagedObjectError`` if it cannot be read.
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

  /// Sets an attribute.
  ///
  /// The value is stored in the format of the old one, such as a date as text.
  ///
  /// Setting a foreign key sets its relationship too. Setting the saved value again leaves the
  /// object unchanged.
  ///
  /// - Parameters:
  ///   - value: The decoded value.
  ///   - key: The attribute.
  /// - Throws: ``ManagedObjectError`` if the attribute cannot have that value, or is read-only.
  public func setValue(_ value: Value, forKey key: String) throws {
    let context = try changeableContext("setting \(key)")
    guard let index = info.entity.attributeIndex(key) else { throw unknownKey(key, "setting") }
    let attribute = info.entity.attributes[index]
    if attribute.isReadOnly {
      throw ManagedObjectError(
        .readOnly, doing: "setting \(key)", subject: displayName,
        detail: "the store computes it", objectIDs: [objectID])
    }
    let current = context.readableRow(of: objectID)?.value(at: index) ?? .null
    let stored: Value
    do {
      let committed = context.committedRow(of: objectID)?.value(at: index) ?? .null
      stored = try attribute.encode(value, like: committed.isNull ? current : committed)
    } catch {
      throw ManagedObjectError(
        .wrongType, doing: "setting \(key)", subject: displayName,
        detail: String(describing: error), objectIDs: [objectID])
    }
    guard stored != current else { return }
    if info.keyAttributes.contains(index), !(isInserted && objectID.isTemporary) {
      throw ManagedObjectError(
        .readOnly, doing: "setting \(key)", subject: displayName,
        detail: "the key of a saved object cannot be changed",
        remedy: "make a new object and delete this one", objectIDs: [objectID])
    }
    try context.setAttribute(index, to: stored, of: self)
    context.undoHistory.suggest(
      ActionSuggestion(verb: .change, entityName: info.entity.name, name: key))
  }

  /// The attributes with unsaved changes and their new, decoded values.
  ///
  /// - Returns: The values by attribute name; for a new object all that are not null.
  public func changedValues() -> [String: Value] {
    guard let context = managedObjectContext, let pending = context.pending[objectID],
      let current = pending.current
    else { return [:] }
    var changed: [String: Value] = [:]
    for (index, attribute) in entity.attributes.enumerated() {
      let value = current.value(at: index)
      guard value != (pending.base?.value(at: index) ?? .null) else { continue }
      changed[attribute.name] = attribute.decode(value)
    }
    return changed
  }

  /// The names of attributes and to-one relationships with unsaved changes.
  public var changedKeys: Set<String> { managedObjectContext?.changedKeys(of: objectID) ?? [] }

  /// An attribute's decoded value as it was last saved or read.
  ///
  /// - Parameter key: The attribute.
  /// - Returns: The value; null for a new object.
  public func committedValue(forKey key: String) -> Value {
    guard let index = entity.attributeIndex(key),
      let row = managedObjectContext?.committedRow(of: objectID)
    else { return .null }
    return entity.attributes[index].decode(row.value(at: index))
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
  /// The stored value at an index; null if the store returned fewer values than the entity has
  /// attributes.
  func value(at index: Int) -> Value { values.indices.contains(index) ? values[index] : .null }

  func destination(at index: Int) -> ObjectID? {
    toOne.indices.contains(index) ? toOne[index] : nil
  }
}

public import ObjectModel

// Disfavoured are those that CoreDataNames has with Core Data's types too.
extension ManagedObject {
  /// An attribute's decoded value: a date, a Boolean, a decimal.
  ///
  /// Reading fires a fault, and reads a long value in full from the store each time until it is
  /// changed; the value is null for an unknown key or if the row no longer exists. A value that the
  /// attribute cannot have is not set but reported to the context's `onError`, and the next save
  /// throws; ``setValue(_:forKey:)-(Value,_)`` throws at once instead.
  public subscript(_ key: String) -> Value {
    get { value(forKey: key) }
    set {
      refusing(key) { try setValue(newValue, forKey: key) }
    }
  }

  /// An attribute's decoded value, never truncated.
  ///
  /// - Parameter key: The attribute.
  /// - Returns: The value; null for an unknown key, if the row no longer exists, or if a long value
  ///   cannot be read, which is reported to the context's `onError`: ``wholeValue(forKey:)`` throws
  ///   instead.
  @_disfavoredOverload
  public func value(forKey key: String) -> Value {
    guard let index = info.attributeIndex(key) else { return transientValue(forKey: key) }
    return info.encodings[index].decode(storedValue(at: index))
  }

  /// An attribute's decoded value for a list: long text and bytes may be truncated, so that no more
  /// than the row has to be read.
  ///
  /// - Parameter key: The attribute.
  /// - Returns: The value or its beginning; null for an unknown key or if the row no longer exists.
  ///   ``cutLength(forKey:)`` says whether it is truncated. Do not store it.
  package func truncatedValue(forKey key: String) -> Value {
    guard let index = info.attributeIndex(key),
      let value = awakeRow?.value(at: index)
    else { return .null }
    return info.encodings[index].decode(value)
  }

  /// An attribute's value as the store keeps it, never truncated.
  ///
  /// - Parameter key: The attribute.
  /// - Returns: The stored value; null as for ``value(forKey:)->Value``.
  package func storedValue(forKey key: String) -> Value {
    info.attributeIndex(key).map(storedValue) ?? .null
  }

  private func storedValue(at index: Int) -> Value {
    // Nearly always it is in the row that was read.
    if !needsAwaking, contextEntity.isUnchanged(record.id), let value = record.wholeValue(at: index)
    {
      return value
    }
    return unusualValue(at: index)
  }

  /// The stored value of an attribute, wherever it is.
  private func unusualValue(at index: Int) -> Value {
    guard let context = managedObjectContext, let row = awakeRow else { return .null }
    if row.isWhole || row.cutLengths[index] == nil { return row.value(at: index) }
    do {
      return try context.wholeValue(at: index, of: objectID)
    } catch {
      context.report(error)
      return .null
    }
  }

  /// Returns the expression by which the store will compute an attribute's value at the save.
  ///
  /// - Parameter key: The attribute.
  /// - Returns: The expression; nil unless the object is new and the attribute was not set.
  package func awaitedDefault(forKey key: String) -> String? {
    guard isInserted, let index = info.attributeIndex(key), info.storeDefaults.contains(index),
      awakeRow?.unset.contains(index) == true
    else { return nil }
    return info.entity.attributes[index].details.defaultExpression
  }

  /// The full length in bytes of a value that was read truncated.
  ///
  /// - Parameter key: The attribute.
  /// - Returns: The length; nil if the value is in memory in full.
  package func cutLength(forKey key: String) -> Int? {
    guard let index = info.attributeIndex(key) else { return nil }
    return awakeRow?.cutLengths[index]
  }

  /// An attribute's full value, as ``value(forKey:)->Value``, for callers that handle errors.
  ///
  /// - Throws: ``ManagedObjectError`` if the row or a long value cannot be read, or the row of a long
  ///   value no longer exists.
  public func wholeValue(forKey key: String) throws -> Value {
    if let context = managedObjectContext, awakeRow == nil, context.isUnread(objectID) {
      try context.prefetch(CollectionOfOne(objectID))
    }
    guard let context = managedObjectContext, cutLength(forKey: key) != nil,
      let index = info.attributeIndex(key)
    else { return truncatedValue(forKey: key) }
    return info.encodings[index].decode(try context.wholeValue(at: index, of: objectID))
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
  @_disfavoredOverload
  public func setValue(_ value: Value, forKey key: String) throws {
    if insertion != .never, let context = managedObjectContext,
      let index = info.attributeIndex(key), context.setNew(index, to: value, of: self)
    {
      return context.refused.remove(objectID, key)
    }
    // Most objects are awake and exist, which their rows say.
    let known = needsAwaking ? nil : managedObjectContext?.rows(of: objectID)
    let context = try changeableContext("setting \(key)", exists: known != nil)
    guard let index = info.attributeIndex(key) else {
      guard let attribute = transientAttribute(key) else { throw unknownKey(key, "setting") }
      return try setTransientValue(value, attribute)
    }
    if !info.takesText[index], info.entity.attributes[index].isReadOnly {
      throw ManagedObjectError(
        .readOnly, doing: "setting \(key)", subject: displayName,
        detail: "the store computes it", objectIDs: [objectID])
    }
    // Nothing is set in what was inserted and deleted since changes were last processed.
    guard let rows = known ?? context.rows(of: objectID) else { return }
    let current = try context.wholeValue(at: index, of: objectID, in: rows.current)
    let stored = try encode(value, at: index, key, of: rows, like: current)
    guard stored != current || rows.current.unset.contains(index) else {
      return context.refused.remove(objectID, key)
    }
    if info.keyAttributes.contains(index), !(isInserted && objectID.isTemporary) {
      throw ManagedObjectError(
        .readOnly, doing: "setting \(key)", subject: displayName,
        detail: "the key of a saved object cannot be changed",
        remedy: "make a new object and delete this one", objectIDs: [objectID])
    }
    try context.setAttribute(index, to: stored, of: self, rows)
    context.refused.remove(objectID, key)
    context.undoHistory.suggest(
      ActionSuggestion(verb: .change, entityName: info.entity.name, name: key))
  }

  /// Sets several attributes, in the order of their names.
  ///
  /// - Parameter values: The decoded values by attribute.
  /// - Throws: ``ManagedObjectError`` for the first that cannot be set; those before it are.
  @_disfavoredOverload
  public func setValuesForKeys(_ values: [String: Value]) throws {
    for (key, value) in values.sorted(by: { $0.key < $1.key }) { try setValue(value, forKey: key) }
  }

  /// The decoded values of several attributes, never truncated.
  ///
  /// - Parameter keys: The attributes.
  /// - Returns: The values by attribute, as of ``value(forKey:)->Value``.
  @_disfavoredOverload
  public func dictionaryWithValues(forKeys keys: [String]) -> [String: Value] {
    Dictionary(keys.map { ($0, value(forKey: $0)) }) { first, _ in first }
  }

  /// The stored form of a new value of an attribute, like that of the value in the store.
  private func encode(
    _ value: Value, at index: Int, _ key: String, of rows: ObjectRows, like current: Value
  ) throws -> Value {
    // Text is stored as it is, without a copy of the attribute's description.
    if info.takesText[index], case .string = value { return value }
    let base = rows.base
    let committed = base?.cutLengths[index] == nil ? base?.value(at: index) ?? .null : current
    do {
      return try info.entity.attributes[index].encode(
        value, like: committed.isNull ? current : committed)
    } catch {
      throw ManagedObjectError(
        .wrongType, doing: "setting \(key)", subject: displayName,
        detail: String(describing: error), objectIDs: [objectID])
    }
  }

  /// Copies an attribute's value as another object of the same entity stores it, in the same form
  /// and of whatever kind.
  ///
  /// - Parameters:
  ///   - key: The attribute.
  ///   - other: The object to copy it from.
  /// - Throws: ``ManagedObjectError`` if the entity has no such attribute, the object cannot be
  ///   changed, or the value cannot be read.
  package func copyValue(forKey key: String, from other: ManagedObject) throws {
    let context = try changeableContext("setting \(key)")
    guard let index = info.attributeIndex(key), other.entity.name == entity.name else {
      throw unknownKey(key, "setting")
    }
    let stored = try context.wholeValue(
      at: index, of: other.objectID, in: context.readableRow(of: other.objectID))
    try context.setAttribute(index, to: stored, of: self)
  }

  /// Validates a value for an attribute without setting it, as a form does while somebody types.
  ///
  /// - Parameters:
  ///   - value: The decoded value.
  ///   - key: The attribute.
  /// - Throws: ``ManagedObjectError`` if the attribute cannot have the value or must have one, the
  ///   value breaks a rule of the model, or there is no such attribute; or what
  ///   ``validate(_:forKey:)`` throws if that is all.
  @_disfavoredOverload
  public func validateValue(_ value: Value, forKey key: String) throws {
    guard let index = info.attributeIndex(key) else { throw unknownKey(key, "validating") }
    guard let context = managedObjectContext else {
      throw ManagedObjectError(
        .gone, doing: "validating \(key)", subject: displayName, objectIDs: [objectID])
    }
    try ChangeValidation(of: context).validate(value, at: index, of: self)
  }

  /// The properties with unsaved changes and their new, decoded values.
  ///
  /// - Returns: The values by name; for a new object all that are not null. A to-one relationship
  ///   has the URI of its object, a to-many relationship the text of its objects' URIs, separated by
  ///   spaces: ``objectIDs(forKey:)`` returns the IDs.
  @_disfavoredOverload
  public func changedValues() -> [String: Value] {
    guard let context = managedObjectContext, !isDeleted else { return [:] }
    var changed: [String: Value] = [:]
    var names = context.changedToMany(of: objectID)
    switch context.pending[objectID] {
    case .inserted(let new):
      let empty = RowSnapshot(
        id: objectID, version: 0, values: Array(repeating: .null, count: new.row.values.count),
        toOne: Array(repeating: nil, count: new.row.toOne.count))
      names.formUnion(Patch(from: empty, to: new.row).names(in: info))
    case .updated(let update): names.formUnion(update.changes.names(in: info))
    case .deleted, nil: break
    }
    names.formUnion(context.unsaved.transients[objectID]?.keys ?? [])
    for name in names {
      if info.attributeIndex(name) != nil || info.transients[name] != nil {
        changed[name] = value(forKey: name)
      } else if entity.toOneIndex(name) != nil {
        changed[name] = objectID(forKey: name).map { .string($0.uriRepresentation) } ?? .null
      } else {
        let uris = objectIDs(forKey: name).map(\.uriRepresentation)
        changed[name] = .string(uris.joined(separator: " "))
      }
    }
    return changed
  }

  /// The names of attributes and relationships with unsaved changes.
  package var changedKeys: Set<String> { managedObjectContext?.changedKeys(of: objectID) ?? [] }

  /// An attribute's decoded value as it was last saved or read.
  ///
  /// - Parameter key: The attribute.
  /// - Returns: The value, never truncated; null for a new object.
  @_disfavoredOverload  // Many programs have a helper of this name.
  public func committedValue(forKey key: String) -> Value {
    guard let context = managedObjectContext, let index = info.attributeIndex(key),
      let row = context.committedRow(of: objectID)
    else { return .null }
    do {
      let value = try context.wholeValue(at: index, of: objectID, in: row)
      return info.encodings[index].decode(value)
    } catch {
      context.report(error)
      return .null
    }
  }

  /// The context, if the object can be changed; it is awake then.
  ///
  /// - Parameters:
  ///   - doing: The operation, for errors.
  ///   - exists: Whether it is known to exist.
  /// - Returns: The context.
  /// - Throws: ``ManagedObjectError`` if the object does not exist or is read-only.
  func changeableContext(_ doing: @autoclosure () -> String, exists: Bool = false) throws
    -> ManagedObjectContext
  {
    guard let context = managedObjectContext, exists || context.isChangeable(objectID) else {
      // An object that cannot be read is not gone.
      if let context = managedObjectContext, context.isUnread(objectID) {
        try context.prefetch(CollectionOfOne(objectID))
      }
      throw ManagedObjectError(
        .gone, doing: doing(), subject: displayName, objectIDs: [objectID])
    }
    try context.checkWritable(info, doing: doing())
    if needsAwaking { _ = awakeRow }
    return context
  }

  func unknownKey(_ key: String, _ doing: String) -> ManagedObjectError {
    .unknownKey(
      key, among: entity.attributes.map(\.name) + entity.relationships.map(\.name),
      doing: "\(doing) \(key)", subject: entity.name, objectIDs: [objectID])
  }
}

package import ObjectModel

// Transient attributes: kept with the object until it is turned into a fault or released, and never
// written.
extension ManagedObject {
  /// The description of a transient attribute; nil if the entity has none of that name.
  package func transientAttribute(_ key: String) -> AttributeDescription? {
    info.transients.isEmpty ? nil : info.transients[key]
  }

  /// What a transient attribute was set to, else its default; nil for no value.
  package func transientContent(forKey key: String) -> Any? {
    if let content = record.transients[key] { return content.value }
    guard let value = info.transients[key]?.defaultValue, !value.isNull else { return nil }
    return value
  }

  /// The value of a transient attribute; null if it has none, or one that no other attribute can have.
  func transientValue(forKey key: String) -> Value {
    transientContent(forKey: key) as? Value ?? .null
  }

  /// Sets a transient attribute: the object has an unsaved change, of which nothing is written.
  ///
  /// - Parameters:
  ///   - content: A value, or whatever else the attribute has; nil for none.
  ///   - key: The attribute.
  /// - Throws: ``ManagedObjectError`` if the object cannot be changed.
  package func setTransientContent(_ content: Any?, forKey key: String) throws {
    let context = try changeableContext("setting \(key)")
    context.setTransient(TransientContent(content), key, of: self)
    context.refused.remove(objectID, key)
    context.undoHistory.suggest(
      ActionSuggestion(verb: .change, entityName: entity.name, name: key))
  }

  /// Sets a transient attribute to a value of its type.
  package func setTransientValue(_ value: Value, _ attribute: AttributeDescription) throws {
    do {
      let value = attribute.decode(try attribute.encode(value))
      try setTransientContent(value.isNull ? nil : value, forKey: attribute.name)
    } catch let error where !(error is ManagedObjectError) {
      throw ManagedObjectError(
        .wrongType, doing: "setting \(attribute.name)", subject: displayName,
        detail: String(describing: error), objectIDs: [objectID])
    }
  }
}

/// What a transient attribute was set to, once.
final class TransientContent {
  /// Nil for no value.
  let value: Any?

  init(_ value: Any?) { self.value = value }
}

extension ManagedObjectContext {
  /// Sets what a transient attribute has, or takes it back to its default if nil.
  func setTransient(_ content: TransientContent?, _ key: String, of object: ManagedObject) {
    let (id, old) = (object.objectID, object.record.transients[key])
    touch(id, [key], exists: true)
    object.record.transients[key] = content
    unsaved.noteTransient(key, of: object, from: old, to: content)
    undoHistory.register { [reference] in
      guard let context = reference.context else { return }
      context.setTransient(old, key, of: context.object(with: id))
    }
  }

  /// Forgets the transient values of objects, which are turned into faults, and that they changed.
  func forgetTransients(of objects: some Sequence<ManagedObject>) {
    for object in objects {
      unsaved.forgetTransients(of: object.objectID)
      object.record.transients = [:]
    }
  }
}

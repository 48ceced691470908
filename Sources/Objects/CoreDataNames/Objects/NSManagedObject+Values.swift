import CoreDataPredicates
import Foundation
public import ManagedObjects
import ObjectModel

extension ManagedObject {
  /// The value of an attribute, or the destinations of a relationship.
  ///
  /// - Parameter key: The property.
  /// - Returns: A number or Boolean as `NSNumber`, a decimal as `NSDecimalNumber`, else a text,
  ///   date, URL, UUID or bytes; the object of a to-one relationship; the objects of a to-many
  ///   relationship as `Set<NSManagedObject>`, or as an array if it is ordered; those of a fetched
  ///   property as an array; the value of a transformable attribute if a codec is registered in
  ///   `AttributeCodecs` for it, else its bytes. Nil for no value, and for an unknown key, which is an exception in Core
  ///   Data.
  public func value(forKey key: String) -> Any? {
    guard let relationship = entity.relationship(named: key) else {
      if entity.details.fetchedProperties.contains(where: { $0.name == key }) {
        return fetched(key)
      }
      if let codec = codec(of: key) { return transformed(key, codec) }
      if transientAttribute(key) != nil {
        let content = transientContent(forKey: key)
        return (content as? Value).map(\.any) ?? content
      }
      let value: Value = value(forKey: key)
      return value.any
    }
    guard relationship.isToMany else { return object(forKey: key) }
    let objects = objects(forKey: key)
    return relationship.isOrdered ? objects : Set(objects)
  }

  /// Sets an attribute, or the destinations of a relationship.
  ///
  /// It cannot throw: what the property cannot have is reported to the context's `onError`, and the
  /// next save throws.
  ///
  /// - Parameters:
  ///   - value: The value: a Swift value or its Foundation class, an object, or a set or array of
  ///     objects; nil for none.
  ///   - key: The property.
  public func setValue(_ value: Any?, forKey key: String) {
    let value = unwrapped(value)
    guard let relationship = entity.relationship(named: key) else {
      if let value, let codec = codec(of: key) { return transform(value, key, codec) }
      if let attribute = transientAttribute(key) { return setTransient(value, attribute) }
      guard let value = Value(any: value) else { return refuse(value, key) }
      self[key] = value
      return
    }
    guard relationship.isToMany else {
      guard let value, !(value is NSNull) else { return relate(nil, forKey: key) }
      guard let object = value as? ManagedObject else { return refuse(value, key) }
      return relate(object, forKey: key)
    }
    switch value {
    case nil: replace([], forKey: key)
    case let objects as Set<ManagedObject>: replace(Array(objects), forKey: key)
    case let objects as [ManagedObject]: replace(objects, forKey: key)
    case let objects as NSOrderedSet: setValue(objects.array, forKey: key)
    default: refuse(value, key)
    }
  }

  /// Sets several properties, in the order of their names.
  ///
  /// - Parameter keyedValues: The values by property, as for `setValue(_:forKey:)`; `NSNull` for none.
  public func setValuesForKeys(_ keyedValues: [String: Any]) {
    for (key, value) in keyedValues.sorted(by: { $0.key < $1.key }) { setValue(value, forKey: key) }
  }

  /// The values of several properties.
  ///
  /// - Parameter keys: The properties.
  /// - Returns: The values by property, as `value(forKey:)` returns them; `NSNull` for none.
  public func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
    Dictionary(keys.map { ($0, value(forKey: $0) as Any? ?? NSNull()) }) { first, _ in first }
  }

  /// Validates a value for an attribute without setting it.
  ///
  /// A class validates its attributes by overriding `validate(_:forKey:)`, not by methods named after
  /// them.
  ///
  /// - Parameters:
  ///   - value: The value: a Swift value or its Foundation class; nil for none.
  ///   - key: The attribute.
  /// - Throws: `ManagedObjectError`, or what `validate(_:forKey:)` throws if that is all.
  @_disfavoredOverload  // As much as the one with a Value, which it calls.
  public func validateValue(_ value: Any?, forKey key: String) throws {
    guard let known = Value(any: value) else {
      throw ManagedObjectError.unknownType(
        of: value, doing: "validating \(key)", subject: displayName, objectIDs: [objectID])
    }
    try validateValue(known, forKey: key)
  }

  /// The value at the end of a key path of to-one relationships and a property.
  ///
  /// - Parameter keyPath: The key path. Collection operators, and paths through to-many
  ///   relationships, are left to predicates.
  /// - Returns: As `value(forKey:)`; nil if a relationship on the way is nil.
  public func value(forKeyPath keyPath: String) -> Any? {
    guard let end = end(of: keyPath) else { return nil }
    return end.object.value(forKey: end.key)
  }

  /// Sets the property at the end of a key path of to-one relationships and a property.
  ///
  /// Nothing is set if a relationship on the way is nil, as in Core Data.
  ///
  /// - Parameters:
  ///   - value: As for `setValue(_:forKey:)`.
  ///   - keyPath: The key path.
  public func setValue(_ value: Any?, forKeyPath keyPath: String) {
    guard let end = end(of: keyPath) else { return }
    end.object.setValue(value, forKey: end.key)
  }

  /// The properties with unsaved changes and their new values.
  ///
  /// - Returns: The values by name, as `value(forKey:)` returns them; `NSNull` for none. For a new
  ///   object all that have a value. Empty for a deleted object.
  public func changedValues() -> [String: Any] {
    let values: [String: Value] = changedValues()
    return Dictionary(
      uniqueKeysWithValues: values.keys.map { ($0, value(forKey: $0) as Any? ?? NSNull()) })
  }

  /// Attributes as they were last saved or read.
  ///
  /// - Parameter keys: The attributes; nil for all. Relationships are left out: a context does not
  ///   keep their former destinations.
  /// - Returns: The values by name; `NSNull` for none. Empty for a new object.
  public func committedValues(forKeys keys: [String]?) -> [String: Any] {
    guard !isInserted else { return [:] }
    let attributes = keys ?? entity.attributes.map(\.name)
    return attributes.reduce(into: [:]) { values, key in
      guard entity.attribute(named: key) != nil else { return }
      values[key] = committedValue(forKey: key).any ?? NSNull()
    }
  }

  /// The objects of a fetched property; none, and the error reported, if they cannot be fetched.
  private func fetched(_ key: String) -> [NSManagedObject] {
    do { return try fetchedObjects(forKey: key) } catch {
      managedObjectContext?.onError?(error)
      return []
    }
  }

  /// The codec that is registered for a transformable attribute; nil if there is none.
  private func codec(of key: String) -> (any AttributeCodec)? {
    guard let attribute = entity.attribute(named: key), attribute.type == .transformable else {
      return nil
    }
    return attribute.details.valueTransformerName.flatMap(AttributeCodecs.codec)
  }

  private func transformed<Codec: AttributeCodec>(_ key: String, _ codec: Codec) -> Any? {
    do { return try value(ofTransformable: key, codec: codec) } catch {
      managedObjectContext?.onError?(error)
      return nil
    }
  }

  private func transform<Codec: AttributeCodec>(_ value: Any, _ key: String, _ codec: Codec) {
    guard let content = value as? Codec.Content else { return refuse(value, key) }
    do { self[key] = .data(try codec.encode(content)) } catch {
      managedObjectContext?.refuse(error, of: objectID, key)
    }
  }

  /// Sets a transient attribute, to any value at all if it has no type of its own.
  private func setTransient(_ value: Any?, _ attribute: AttributeDescription) {
    do {
      switch attribute.type {
      case .undefined, .transformable:
        try setTransientContent(value is NSNull ? nil : value, forKey: attribute.name)
      default:
        guard let value = Value(any: value) else { return refuse(value, attribute.name) }
        try setTransientValue(value, attribute)
      }
    } catch {
      managedObjectContext?.refuse(error, of: objectID, attribute.name)
    }
  }

  private func refuse(_ value: Any?, _ key: String) {
    managedObjectContext?.refuse(
      ManagedObjectError.unknownType(
        of: value, doing: "setting \(key)", subject: displayName, objectIDs: [objectID]),
      of: objectID, key)
  }

  /// The object and the key that a key path ends in; nil if a relationship on the way is nil.
  private func end(of keyPath: String) -> (object: ManagedObject, key: String)? {
    let keys = KeyPathText.components(of: keyPath) ?? [keyPath]
    guard let key = keys.last else { return nil }
    var object = self
    for name in keys.dropLast() {
      guard let next = object.object(forKey: name) else { return nil }
      object = next
    }
    return (object, key)
  }
}

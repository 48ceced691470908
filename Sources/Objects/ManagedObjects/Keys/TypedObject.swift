import ObjectModel

/// A managed object, of whatever class, with access by typed keys.
///
/// All managed objects conform; it exists because only a protocol's extension knows the class of
/// the object whose key is given.
public protocol TypedObject: ManagedObject {}

extension ManagedObject: TypedObject {}

extension TypedObject {
  /// An attribute's value.
  ///
  /// Reading fires a fault. A value of another kind than the attribute's reads as the missing one.
  /// A value that the attribute cannot have is not set: it is reported to the context's `onError`,
  /// and the next save throws.
  public subscript<Attribute>(key: AttributeKey<Self, Attribute>) -> Attribute {
    get { typedValue(at: key.path) }
    set { setTypedValue(newValue, at: key.path) }
  }

  /// The destinations of a relationship.
  ///
  /// A destination that cannot be set is reported to the context's `onError`, and the next save
  /// throws.
  public subscript<Destinations>(key: RelationshipKey<Self, Destinations>) -> Destinations {
    get { destinations(at: key.path) }
    set { setDestinations(newValue, at: key.path) }
  }
}

// The keys of the class that declares the conformance, for its subclasses: a generic parameter
// cannot be required to be a superclass.
extension EntityClass {
  /// An attribute of the superclass.
  @_disfavoredOverload
  public subscript<Attribute>(key: AttributeKey<KeyOwner, Attribute>) -> Attribute {
    get { typedValue(at: key.path) }
    set { setTypedValue(newValue, at: key.path) }
  }

  /// A relationship of the superclass.
  @_disfavoredOverload
  public subscript<Destinations>(key: RelationshipKey<KeyOwner, Destinations>) -> Destinations {
    get { destinations(at: key.path) }
    set { setDestinations(newValue, at: key.path) }
  }
}

extension ManagedObject {
  func typedValue<Attribute: AttributeValue>(at path: [String]) -> Attribute {
    guard let end = object(before: path), let name = path.last else {
      return Attribute.missingValue
    }
    return Attribute(attributeValue: end.value(forKey: name)) ?? Attribute.missingValue
  }

  func setTypedValue(_ value: some AttributeValue, at path: [String]) {
    settingEnd(of: path) { $0[$1] = value.attributeValue }
  }

  func destinations<Destinations: RelationshipValue>(at path: [String]) -> Destinations {
    guard let end = object(before: path), let name = path.last else {
      return Destinations.noDestinations
    }
    return Destinations.read(from: end, name)
  }

  func setDestinations(_ destinations: some RelationshipValue, at path: [String]) {
    settingEnd(of: path) { destinations.write(to: $0, $1) }
  }

  /// Sets the property that a path ends in; what its object refuses is kept for that object, and
  /// that the path does not lead to one for this.
  private func settingEnd(of path: [String], _ set: (ManagedObject, String) -> Void) {
    guard let name = path.last else { return }
    guard path.count > 1 else { return set(self, name) }
    var end: ManagedObject?
    refusing(KeyPathText.text(path)) { end = try self.end(of: path) }
    if let end { set(end, name) }
  }

  /// The object whose property a path ends in; nil if a to-one relationship before it is nil.
  private func object(before path: [String]) -> ManagedObject? {
    var object: ManagedObject? = self
    for name in path.dropLast() { object = object?.object(forKey: name) }
    return object
  }

  private func end(of path: [String]) throws -> ManagedObject {
    if let object = object(before: path) { return object }
    throw ManagedObjectError(
      .gone, doing: "setting \(path.joined(separator: "."))", subject: displayName,
      detail: "a relationship on the way is nil", remedy: "set it first", objectIDs: [objectID])
  }
}

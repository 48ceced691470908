import ObjectModel

extension ManagedObject {
  /// The objects of a fetched property.
  ///
  /// They are fetched when they are first asked for, unsaved changes included, and stay the same
  /// until this object is refreshed, its context is reset, or nobody references it. In the predicate
  /// of the property's fetch request `$FETCH_SOURCE` is this object, and `$FETCHED_PROPERTY` the
  /// property, of which `name` and `userInfo` can be used.
  ///
  /// - Parameter key: The fetched property.
  /// - Returns: The objects in the order of the fetch request, without those that were deleted since.
  /// - Throws: ``ManagedObjectError`` if the entity has no such fetched property, the object's context
  ///   is deallocated, or the store cannot be read; `FetchPredicateError` if the predicate does not
  ///   fit.
  public func fetchedObjects(forKey key: String) throws -> [ManagedObject] {
    guard let context = managedObjectContext else {
      throw ManagedObjectError(
        .gone, doing: "fetching \(key)", subject: displayName, objectIDs: [objectID])
    }
    let ids = try context.fetchedIDs(of: key, of: self).filter { context.isAlive($0) }
    return context.makeObjects(ObjectIDList(ids), batchSize: 1_000)
  }

  /// The fetch request of a fetched property for this object, with its variables replaced.
  ///
  /// - Parameter key: The fetched property.
  /// - Returns: The request.
  /// - Throws: ``ManagedObjectError`` if the entity has no such fetched property; `FetchPredicateError`
  ///   if the predicate cannot be parsed.
  package func fetchRequest(
    forFetchedProperty key: String
  ) throws -> FetchRequest<ManagedObject> {
    let known = entity.details.fetchedProperties
    guard let property = known.first(where: { $0.name == key }) else {
      throw ManagedObjectError.unknownKey(
        key, among: known.map(\.name), doing: "fetching \(key)", subject: entity.name,
        detail: "the entity has no fetched property of that name", objectIDs: [objectID])
    }
    var request = try FetchRequest<ManagedObject>(property.fetchRequest)
    request.predicate = request.predicate.map { bound($0, to: property) }
    return request
  }

  /// A predicate with what its variables stand for; what they lead to is read now, because neither
  /// is part of the objects that are fetched.
  private func bound(
    _ predicate: FetchPredicate, to property: FetchedPropertyDescription
  ) -> FetchPredicate {
    FetchPredicate(
      predicate.node.replacing { expression in
        switch expression {
        case .variable("FETCH_SOURCE", let keys):
          return PredicateOperand.object(self).operand(at: keys[...]).expression
        case .variable("FETCHED_PROPERTY", let keys):
          guard keys.first == "userInfo", keys.count == 2 else {
            return .constant(.string(property.name))
          }
          return .constant(property.details.userInfo[keys[1]].map(Value.string) ?? .null)
        default: return expression
        }
      })
  }
}

extension PredicateOperand {
  /// The operand as part of a predicate.
  fileprivate var expression: FetchPredicate.Expression {
    switch self {
    case .value(let value): .constant(value)
    case .object(let object): .object(object.objectID)
    case .collection(let objects): .list(objects.map { .object($0.objectID) })
    case .values(let values): .list(values.map(\.expression))
    case .missing: .constant(.null)
    }
  }
}

extension ManagedObjectContext {
  /// The IDs of a fetched property's objects, fetched the first time.
  fileprivate func fetchedIDs(of key: String, of object: ManagedObject) throws -> [ObjectID] {
    if let ids = object.record.fetchedIDs[key] { return ids.map(resolve) }
    let request = try object.fetchRequest(forFetchedProperty: key)
    let plan = try plan(of: request, doing: "fetching \(object.entity.name).\(key)")
    let ids = Array(try fetchIDs(plan).ids)
    object.record.fetchedIDs[key] = ids
    return ids
  }
}

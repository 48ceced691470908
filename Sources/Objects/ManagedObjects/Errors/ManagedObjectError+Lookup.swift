import ObjectModel

// Entities, keys and classes that callers name, and that must be as they say.

extension ManagedObjectContext {
  /// An entity of the model.
  ///
  /// - Throws: ``ManagedObjectError`` that names the nearest ones, if there is no such entity.
  func entity(named name: String, doing: String) throws -> EntityDescription {
    if let entity = model.entity(named: name) { return entity }
    throw ManagedObjectError(unknownEntity: name, among: model, doing: doing)
  }
}

extension ManagedObjectError {
  /// The error that a model has no entity of a name.
  init(unknownEntity name: String, among model: ManagedObjectModel, doing: String) {
    self.init(
      .unknownEntity, doing: doing, subject: name,
      remedy: Self.nearest(to: name, among: model.entities.map(\.name)))
  }
}

extension ManagedObject {
  /// The object as an instance of a class.
  ///
  /// - Throws: ``ManagedObjectError`` if it is not one.
  func typed<Object: ManagedObject>(
    as type: Object.Type = Object.self, doing: @autoclosure () -> String
  ) throws -> Object {
    if let object = self as? Object { return object }
    throw ManagedObjectError(
      .wrongType, doing: doing(), subject: displayName,
      detail: "its class is \(Swift.type(of: self)), not \(type)",
      remedy: "register the class before objects of the entity are made", objectIDs: [objectID])
  }
}

extension ManagedObjectError {
  /// An error that names the properties nearest to one that an entity does not have.
  static func unknownKey(
    _ key: String, among known: [String], doing: String, subject: String = "", detail: String = "",
    objectIDs: [ObjectID] = []
  ) -> ManagedObjectError {
    ManagedObjectError(
      .unknownKey, doing: doing, subject: subject, detail: detail,
      remedy: nearest(to: key, among: known), objectIDs: objectIDs)
  }

  /// The names that resemble one, as a remedy; empty if none does.
  fileprivate static func nearest(to name: String, among known: [String]) -> String {
    NearestNames.suggestions(for: name, in: known).joined(separator: ", ")
  }
}

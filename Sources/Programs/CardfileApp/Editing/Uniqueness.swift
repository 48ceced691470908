import ManagedObjects
import ObjectModel

/// Finds objects that have unique values already, so that it is said before the save.
enum Uniqueness {
  /// Checks new values of an object against the uniqueness constraints and the key of its entity.
  ///
  /// - Parameters:
  ///   - values: The new values by attribute; only constraints with one of them are checked.
  ///   - entity: The object's entity.
  ///   - context: The context; unsaved changes count.
  ///   - other: The object's values of other attributes.
  ///   - destination: The destinations of its to-one relationships.
  ///   - id: The object itself; nil for one that does not exist yet.
  /// - Returns: What is wrong with them; nil if no other object has them.
  /// - Throws: `ManagedObjectError` if the store cannot be read.
  static func problem(
    _ values: [String: Value], in entity: EntityDescription, context: ManagedObjectContext,
    other: (String) -> Value, destination: (String) -> ObjectID?, excluding id: ObjectID?
  ) throws -> String? {
    let key = entity.keyAttributes.isEmpty ? [] : [entity.keyAttributes]
    for names in entity.uniquenessConstraints + key
    where names.contains(where: values.keys.contains) {
      var conditions: [FetchPredicate] = []
      var isComplete = true
      for name in names {
        let right: FetchPredicate.Expression
        if entity.attribute(named: name) != nil {
          let value = values[name] ?? other(name)
          // NULL equals nothing.
          if value.isNull { isComplete = false }
          right = .constant(value)
        } else if let id = destination(name) {
          right = .object(id)
        } else {
          isComplete = false
          continue
        }
        conditions.append(FetchPredicate(.comparison(.init(.keyPath([name]), .equal, right))))
      }
      guard isComplete, !conditions.isEmpty else { continue }
      let plan = FetchPlan(
        entityName: entity.name,
        predicate: try FetchPredicate.all(conditions)
          .validated(forEntity: entity.name, in: context.model),
        limit: 2)
      let taken = try context.fetchIDs(plan).ids.first { $0 != id }
      guard let taken else { continue }
      let what = names.count == 1 ? names[0] : names.joined(separator: " with ")
      return "\(what) must be unique: \(context.displayName(of: taken)) has it"
    }
    return nil
  }
}

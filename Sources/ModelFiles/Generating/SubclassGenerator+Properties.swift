import ObjectModel

extension SubclassGenerator {
  /// The class of an entity, with the properties that it does not inherit.
  func source(of entity: EntityDescription) -> String {
    let parent = entity.superentityName.flatMap { model.entity(named: $0) }
    let details = entity.details
    let inheritedTransient = Set(parent?.details.transientAttributes.map(\.name) ?? [])
    let members =
      [entityName(entity, isInherited: parent != nil)]
      + entity.attributes.filter { parent?.attributeIndex($0.name) == nil }.map(property)
      + details.transientAttributes.filter { !inheritedTransient.contains($0.name) }
      .map(storedProperty)
      + entity.relationships.filter { parent?.relationship(named: $0.name) == nil }.map(accessors)
    let ancestor = parent.map { className($0.name) } ?? "ManagedObject, EntityClass"
    return """
      \(Self.notice)

      import Foundation
      import ManagedObjects
      import ObjectModel

      /// An object of the entity \(Self.inComment(entity.name)).
      class \(className(entity.name)): \(ancestor) {
      \(members.joined(separator: "\n\n"))
      }

      """
  }

  private func entityName(_ entity: EntityDescription, isInherited: Bool) -> String {
    """
      /// The name of the entity.
      \(isInherited ? "override class" : "class") var entityName: String { \(SwiftName.literal(entity.name)) }
    """
  }

  private func property(_ attribute: AttributeDescription) -> String {
    let type = SwiftType(attribute.type)
    let key = SwiftName.literal(attribute.name)
    let isOptional = attribute.isOptional && attribute.type != .undefined
    let hasNull = attribute.type == .undefined
    let read = type.read(key) + (isOptional || hasNull ? "" : " ?? \(type.neutral)")
    let head =
      "  var \(SwiftName.property(attribute.name)): \(type.name)\(isOptional ? "?" : "")"
    let summary = "  /// The attribute \(Self.inComment(attribute.name))."
    if attribute.isReadOnly {
      return "\(summary) The store computes it.\n\(head) { \(read) }"
    }
    let write =
      isOptional
      ? "newValue.map { \(type.wrap("$0")) } ?? .null" : type.wrap("newValue")
    return """
      \(summary)
      \(head) {
          get { \(read) }
          set { self[\(key)] = \(write) }
        }
      """
  }

  /// A property for an attribute that is in no store.
  private func storedProperty(_ attribute: AttributeDescription) -> String {
    let type = SwiftType(attribute.type)
    let isOptional = attribute.isOptional && attribute.type != .undefined
    let declaration = isOptional ? "\(type.name)?" : "\(type.name) = \(type.neutral)"
    return """
        /// The transient attribute \(Self.inComment(attribute.name)), lost when nobody holds the object.
        var \(SwiftName.property(attribute.name)): \(declaration)
      """
  }

  private func accessors(_ relationship: RelationshipDescription) -> String {
    let name = SwiftName.property(relationship.name)
    let key = SwiftName.literal(relationship.name)
    let type =
      model.entity(named: relationship.destinationEntityName).map { className($0.name) }
      ?? "ManagedObject"
    let summary = "  /// The relationship \(Self.inComment(relationship.name))"
    guard relationship.isToMany else {
      return """
        \(summary); nil when it leads nowhere.
          var \(name): \(type)? {
            get { object(forKey: \(key)) as? \(type) }
            set { relate(newValue, forKey: \(key)) }
          }
        """
    }
    let (collection, read, write) =
      relationship.isOrdered
      ? ("[\(type)]", "objects(forKey: \(key)).compactMap { $0 as? \(type) }", "newValue")
      : (
        "Set<\(type)>", "Set(objects(forKey: \(key)).compactMap { $0 as? \(type) })",
        "Array(newValue)"
      )
    let property = """
      \(summary)\(relationship.isOrdered ? ", in its order" : "").
        var \(name): \(collection) {
          get { \(read) }
          set { replace(\(write), forKey: \(key)) }
        }
      """
    return ([property] + changes(of: relationship, key: key, type: type))
      .joined(separator: "\n\n")
  }

  /// Methods that change a to-many relationship, one object or several.
  private func changes(
    of relationship: RelationshipDescription, key: String, type: String
  ) -> [String] {
    let name = SwiftName.inMethod(relationship.name)
    let shown = Self.inComment(relationship.name)
    func method(_ summary: String, _ signature: String, _ body: String) -> String {
      "  /// \(summary)\n  func \(signature) { \(body) }"
    }
    var methods = [
      method(
        "Puts an object into \(shown).", "addTo\(name)(_ value: \(type))",
        "include([value], forKey: \(key))"),
      method(
        "Puts objects into \(shown).", "addTo\(name)(_ values: some Sequence<\(type)>)",
        "include(Array(values), forKey: \(key))"),
      method(
        "Takes an object out of \(shown).", "removeFrom\(name)(_ value: \(type))",
        "exclude([value], forKey: \(key))"),
      method(
        "Takes objects out of \(shown).", "removeFrom\(name)(_ values: some Sequence<\(type)>)",
        "exclude(Array(values), forKey: \(key))"),
    ]
    if relationship.isOrdered {
      methods.append(
        method(
          "Puts an object into \(shown) at a place.",
          "insertInto\(name)(_ value: \(type), at place: Int)",
          "include([value], forKey: \(key), at: place)"))
    }
    return methods
  }
}

import ObjectModel

extension SubclassGenerator {
  /// The source of an entity's class, with the properties that it does not inherit.
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
    let modifier = isInherited ? "override class" : "class"
    return """
        /// The name of the entity.
        \(modifier) var entityName: String { \(SwiftName.literal(entity.name)) }
      """
  }

  private func property(_ attribute: AttributeDescription) -> String {
    let type = SwiftType(attribute.type)
    let key = SwiftName.literal(attribute.name)
    let isOptional = attribute.isOptional && attribute.type != .undefined
    let read =
      type.read(key) + (isOptional || attribute.type == .undefined ? "" : " ?? \(type.neutral)")
    let head =
      "  var \(SwiftName.property(attribute.name)): \(type.name)\(isOptional ? "?" : "")"
    let summary = "  /// The attribute \(Self.inComment(attribute.name))."
    if attribute.isReadOnly {
      return "\(summary) Read-only: the store computes it.\n\(head) { \(read) }"
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

  /// A stored Swift property for a transient attribute.
  private func storedProperty(_ attribute: AttributeDescription) -> String {
    let type = SwiftType(attribute.type)
    let isOptional = attribute.isOptional && attribute.type != .undefined
    let declaration = isOptional ? "\(type.name)?" : "\(type.name) = \(type.neutral)"
    return """
        /// The transient attribute \(Self.inComment(attribute.name)), kept only as long as the
        /// object is in memory.
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
        \(summary); nil if no object is set.
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

  /// Methods that add objects to a to-many relationship and remove them, one object or several.
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
        "Adds an object to \(shown).", "addTo\(name)(_ value: \(type))",
        "include([value], forKey: \(key))"),
      method(
        "Adds objects to \(shown).", "addTo\(name)(_ values: some Sequence<\(type)>)",
        "include(Array(values), forKey: \(key))"),
      method(
        "Removes an object from \(shown).", "removeFrom\(name)(_ value: \(type))",
        "exclude([value], forKey: \(key))"),
      method(
        "Removes objects from \(shown).", "removeFrom\(name)(_ values: some Sequence<\(type)>)",
        "exclude(Array(values), forKey: \(key))"),
    ]
    if relationship.isOrdered {
      methods.append(
        method(
          "Inserts an object into \(shown) at an index.",
          "insertInto\(name)(_ value: \(type), at index: Int)",
          "include([value], forKey: \(key), at: index)"))
    }
    return methods
  }
}

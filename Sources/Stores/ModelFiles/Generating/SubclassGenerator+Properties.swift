import ObjectModel

extension SubclassGenerator {
  /// The source file of an entity's class.
  func source(of entity: EntityDescription) -> String {
    """
    \(Self.notice)

    \(imports(modules(of: ownAttributes(of: entity))))

    \(declaration(of: entity))

    """
  }

  /// The attributes that an entity does not inherit, transient ones last.
  func ownAttributes(of entity: EntityDescription) -> [AttributeDescription] {
    model.ownAttributes(of: entity)
      + model.own(\.details.transientAttributes, by: \.name, of: entity)
  }

  /// An entity's class, with the properties that it does not inherit.
  func declaration(of entity: EntityDescription) -> String {
    let members =
      entityName(entity) + ownAttributes(of: entity).map { property($0, of: entity) }
      + model.ownRelationships(of: entity).map { accessors($0, of: entity) }
      + model.own(\.details.fetchedProperties, by: \.name, of: entity).map {
        fetchedProperty($0, of: entity)
      }
    let ancestor = model.superentity(of: entity).map(className) ?? "ManagedObject, EntityClass"
    return """
      /// An object of the entity \(Self.inComment(entity.name)).
      \(classModifiers)class \(className(entity)): \(ancestor) {
      \(members.joined(separator: "\n\n"))
      }
      """
  }

  /// The modules whose types properties have: an import that nothing public needs is a warning.
  func modules(of attributes: [AttributeDescription]) -> [String] {
    (attributes.contains(where: \.type.isOfFoundation) ? ["Foundation"] : []) + ["ManagedObjects"]
      + (attributes.isEmpty ? [] : ["ObjectModel"])
  }

  /// The name of the entity, where it is not that of the class: many programs have a helper of the
  /// name `entityName` for all classes, which a class cannot declare too.
  private func entityName(_ entity: EntityDescription) -> [String] {
    let root = model.line(of: entity.name).last
    // What a subclass declares counts only if it overrides.
    let relatives = model.entities.filter { model.line(of: $0.name).last == root }
    if relatives.allSatisfy({ className($0) == $0.name }) { return [] }
    let modifier = access + (root == entity.name ? "class" : "override class")
    return [
      """
        /// The name of the entity.
        \(modifier) var entityName: String { \(SwiftName.literal(entity.name)) }
      """
    ]
  }

  /// The typed key of an attribute, and the property that reads and sets it.
  private func property(_ attribute: AttributeDescription, of entity: EntityDescription) -> String {
    let name = SwiftName.property(attribute.name)
    let owner = className(entity)
    let shown = Self.inComment(attribute.name)
    let key = """
        /// The key of the attribute \(shown).
        \(access)static let \(name) = AttributeKey<\(owner), \(attribute.swiftType)>(\(SwiftName.literal(attribute.name)))
      """
    let head = "  \(access)var \(name): \(attribute.swiftType)"
    if attribute.isReadOnly {
      return """
        \(key)

          /// The attribute \(shown). Read-only: the store computes it.
        \(head) { self[\(owner).\(name)] }
        """
    }
    return """
      \(key)

        /// The attribute \(shown).
      \(head) {
          get { self[\(owner).\(name)] }
          set { self[\(owner).\(name)] = newValue }
        }
      """
  }

  /// The typed key of a fetched property, and the property that reads it.
  private func fetchedProperty(
    _ property: FetchedPropertyDescription, of entity: EntityDescription
  ) -> String {
    let name = SwiftName.property(property.name)
    let owner = className(entity)
    let type =
      model.entity(named: property.fetchRequest.entityName).map(className) ?? "ManagedObject"
    let shown = Self.inComment(property.name)
    return """
        /// The key of the fetched property \(shown).
        \(access)static let \(name) = FetchedPropertyKey<\(owner), \(type)>(\(SwiftName.literal(property.name)))

        /// The fetched property \(shown): fetched when it is first used, and the same until the object is
        /// refreshed.
        \(access)var \(name): [\(type)] { self[\(owner).\(name)] }
      """
  }

  /// The typed key of a relationship, the property that reads and sets it, and the methods of a
  /// to-many relationship.
  private func accessors(
    _ relationship: RelationshipDescription, of entity: EntityDescription
  ) -> String {
    let name = SwiftName.property(relationship.name)
    let key = SwiftName.literal(relationship.name)
    let owner = className(entity)
    let type =
      model.entity(named: relationship.destinationEntityName).map(className) ?? "ManagedObject"
    let shown = Self.inComment(relationship.name)
    let (destinations, note) =
      switch (relationship.isToMany, relationship.isOrdered) {
      case (false, _): ("\(type)?", "; nil if no object is set.")
      case (true, false): ("Set<\(type)>", ".")
      case (true, true): ("[\(type)]", ", in its order.")
      }
    let property = """
        /// The key of the relationship \(shown).
        \(access)static let \(name) = RelationshipKey<\(owner), \(destinations)>(\(key))

        /// The relationship \(shown)\(note)
        \(access)var \(name): \(destinations) {
          get { self[\(owner).\(name)] }
          set { self[\(owner).\(name)] = newValue }
        }
      """
    guard relationship.isToMany else { return property }
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
      "  /// \(summary)\n  \(access)func \(signature) { \(body) }"
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

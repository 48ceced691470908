public import ObjectModel

extension ManagedObjectModel {
  /// Creates the model that classes declare with their `EntityClass.properties`.
  ///
  ///     let model = try ManagedObjectModel(Person.self, DVD.self)
  ///
  /// A relationship that names no inverse has the one that names it.
  ///
  /// - Parameters:
  ///   - type: A class.
  ///   - others: The others: every class to which relationships lead, and every superclass with an
  ///     entity.
  /// - Throws: `ModelError` that says what is wrong, where, and how to correct it.
  public init(
    _ type: any EntityClass.Type, _ others: any EntityClass.Type...
  ) throws(ModelError) {
    try self.init(entityClasses: [type] + others)
  }

  /// Creates the model that classes declare with their `EntityClass.properties`.
  ///
  /// - Parameter entityClasses: The classes, in any order.
  /// - Throws: `ModelError` that says what is wrong, where, and how to correct it.
  public init(entityClasses: [any EntityClass.Type]) throws(ModelError) {
    var classes = try DeclaredClasses(entityClasses)
    try classes.completeInverses()
    self.init { classes.entities }
    try validate()
    try checkRules()
    for entity in entities {
      for attribute in entity.attributes where DerivedAttribute(attribute, of: entity) == nil {
        guard let derivation = attribute.details.derivation else { continue }
        throw ModelError(
          .unknownDerivation(
            attribute: "\(entity.name).\(attribute.name)", expression: derivation.expression))
      }
    }
  }

  /// Checks what a model file may have although it cannot be followed here.
  private func checkRules() throws(ModelError) {
    for entity in entities {
      for attribute in entity.attributes {
        for rule in attribute.details.property.validations where ValueRule(rule) == nil {
          throw ModelError(
            .unreadableRule(attribute: "\(entity.name).\(attribute.name)", rule: rule.predicate))
        }
      }
    }
    for (name, template) in details.fetchRequestTemplates.sorted(by: { $0.key < $1.key }) {
      do { _ = try FetchRequest<ManagedObject>(template) } catch {
        throw ModelError(.invalidFetchTemplate(name, detail: "\(error)"))
      }
    }
  }

  /// The model that classes declare; nil if none of them lists properties.
  ///
  /// - Parameter entityClasses: The classes.
  /// - Returns: The model.
  /// - Throws: As ``init(entityClasses:)``.
  package static func declared(
    by entityClasses: [any EntityClass.Type]
  ) throws(ModelError) -> ManagedObjectModel? {
    guard entityClasses.contains(where: { !$0.properties.isEmpty }) else { return nil }
    return try ManagedObjectModel(entityClasses: entityClasses)
  }
}

/// An inconsistency of a model, or an invalid value for an attribute.
///
/// The reason is data; `description` is the sentence for a person.
public struct ModelError: Error, Hashable, Sendable {
  /// The kind of error, with the names and values it is about.
  package enum Reason: Hashable, Sendable {
    /// A value has a different type than the attribute.
    case wrongType(attribute: String, value: Value, type: AttributeType)
    /// A value is out of the range of the attribute's type.
    case outOfRange(attribute: String, value: Value, type: AttributeType)
    /// A typed text cannot be parsed as a value of the attribute's type.
    case unreadable(attribute: String, text: String, type: AttributeType)
    /// Two entities, or two properties of an entity, have the same name.
    case duplicateName(String, entity: String?)
    /// An entity (if `entity` is nil) or a property has an empty name.
    case emptyName(entity: String?)
    /// The super-entity of an entity does not exist.
    case unknownSuperentity(entity: String, superentity: String, suggestions: [String])
    /// An entity inherits from itself through the listed entities.
    case inheritanceCycle([String])
    /// An entity lacks a property of its super-entity, or declares it differently.
    case notInherited(property: String, entity: String, superentity: String)
    /// The destination entity of a relationship (`Person.dvds`) does not exist.
    case unknownDestination(relationship: String, destination: String, suggestions: [String])
    /// The inverse of a relationship does not exist.
    case unknownInverse(relationship: String, inverse: String, suggestions: [String])
    /// The inverse of a relationship has another destination, or another inverse.
    case inverseDisagrees(
      relationship: String, inverse: String, itsDestination: String, itsInverse: String?)
    /// A uniqueness constraint, a primary key or a foreign key has an attribute that does not
    /// exist.
    case unknownAttribute(String, entity: String, role: String, suggestions: [String])
    /// Two models that are merged declare an entity differently; the phrase says how.
    case mergeConflict(entity: String, difference: String)
    /// The JSON of a model cannot be decoded; the text says why.
    case unreadableModel(String)
    /// Two classes have the same entity.
    case sharedEntityName(String, className: String, otherClassName: String)
    /// A class declares no properties, and has no superclass with some.
    case noProperties(className: String)
    /// A class is made part of a model without its superclass.
    case unlistedSuperclass(className: String, superclass: String)
    /// A relationship (`Person.dvds`) leads to a class that is not part of the model.
    case unlistedDestination(relationship: String, className: String)
    /// A relationship leads to a class that has no entity of its own.
    case destinationIsNoEntityClass(relationship: String, className: String)
    /// A class declares a key (`Person.name`) that is not its own.
    case declaredForeignKey(String, className: String)
    /// A class declares a key that leads through relationships.
    case declaredKeyPath(String, className: String)
    /// A to-many relationship can have no number of objects, or only one.
    case impossibleCount(relationship: String, minCount: Int, maxCount: Int)
    /// Several relationships name the same inverse.
    case severalInverses(of: String, [String])
    /// The expression of a derived attribute cannot be computed.
    case unknownDerivation(attribute: String, expression: String)
    /// The fetch request of a fetched property (`Person.namesakes`) cannot be run; the text says why.
    case invalidFetchedProperty(String, detail: String)
    /// The fetch request of a template cannot be run; the text says why.
    case invalidFetchTemplate(String, detail: String)
    /// A validation rule of an attribute cannot be parsed.
    case unreadableRule(attribute: String, rule: String)
  }

  /// The kind of error.
  package var reason: Reason

  /// Creates an error.
  package init(_ reason: Reason) { self.reason = reason }
}

extension ModelError: CustomStringConvertible {
  /// The sentence for a person: what is wrong, where, and if possible how to fix it.
  public var description: String {
    switch reason {
    case .wrongType(let attribute, let value, let type):
      "\(attribute) must be \(type.phrase), but \(Self.shown(value)) is \(value.kindDescription)."
    case .outOfRange(let attribute, let value, let type):
      "\(attribute) must be \(type.phrase), but \(Self.shown(value)) is out of range."
    case .unreadable(let attribute, let text, let type):
      "\(attribute) must be \(type.phrase), but “\(text)” is not; write it as \(type.example)."
    case .duplicateName(let name, let entity?): "\(entity) has two properties named “\(name)”."
    case .duplicateName(let name, nil): "There are two entities named “\(name)”."
    case .emptyName(let entity?): "A property of \(entity) has no name."
    case .emptyName(nil): "An entity has no name."
    case .unknownSuperentity(let entity, let superentity, let suggestions):
      "\(entity) inherits from “\(superentity)”, which does not exist in the model"
        + NearestNames.hint(suggestions)
    case .inheritanceCycle(let names):
      "\(names.joined(separator: " inherits from ")): an entity cannot inherit from itself."
    case .notInherited(let property, let entity, let superentity):
      "\(entity) inherits from \(superentity), but lacks \(superentity).\(property)"
        + " or declares it differently."
    case .unknownDestination(let relationship, let destination, let suggestions):
      "\(relationship) has the destination entity “\(destination)”,"
        + " which does not exist in the model" + NearestNames.hint(suggestions)
    case .unknownInverse(let relationship, let inverse, let suggestions):
      "\(relationship) has the inverse \(inverse), which does not exist"
        + NearestNames.hint(suggestions)
    case .inverseDisagrees(let relationship, let inverse, let destination, let itsInverse):
      "\(relationship) has the inverse \(inverse), but \(inverse) has the destination "
        + destination + (itsInverse.map { " and the inverse \($0)" } ?? " and no inverse")
        + ". Each must be the inverse of the other."
    case .unknownAttribute(let attribute, let entity, let role, let suggestions):
      "\(role) of \(entity) uses the attribute “\(attribute)”, which does not exist"
        + NearestNames.hint(suggestions)
    case .mergeConflict(let entity, let difference):
      "Two of the merged models declare \(entity) differently (\(difference));"
        + " rename it in one of them, or use one model by its name."
    case .unreadableModel(let detail): "The model cannot be read: \(detail)."
    case .sharedEntityName(let name, let className, let other):
      className == other
        ? "\(className) is listed twice among the classes of the model."
        : "\(className) and \(other) both have the entity “\(name)”; give one of them another"
          + " entityName."
    case .noProperties(let name):
      "\(name) declares no properties; list its keys in it:"
        + " static let properties: Properties = [name, …]."
    case .unlistedSuperclass(let name, let superclass):
      "\(name) is a subclass of \(superclass), which is not among the classes of the model;"
        + " add \(superclass).self."
    case .unlistedDestination(let relationship, let name):
      "\(relationship) leads to \(name), which is not among the classes of the model;"
        + " add \(name).self."
    case .destinationIsNoEntityClass(let relationship, let name):
      "\(relationship) leads to \(name), which has no entity; declare that it is an EntityClass."
    case .declaredForeignKey(let key, let name):
      "\(name) lists \(key) among its properties, but a class lists only keys of its own;"
        + " remove it, or add the class of the key to the model if it is a superclass."
    case .declaredKeyPath(let key, let name):
      "\(name) lists \(key) among its properties, which leads through a relationship;"
        + " list only keys of its own."
    case .impossibleCount(let relationship, let least, let most):
      most == 1
        ? "\(relationship) is a to-many relationship with at most one object;"
          + " declare it as a to-one relationship, whose type is an optional."
        : "\(relationship) cannot have at least \(least) and at most \(most) objects;"
          + " 0 is no limit."
    case .severalInverses(let relationship, let names):
      "\(names.joined(separator: " and ")) have the same inverse \(relationship),"
        + " which can have only one; name another inverse, or none."
    case .unknownDerivation(let attribute, let expression):
      "\(attribute) is derived as “\(expression)”, which cannot be computed; write attributes of"
        + " the same object, or of one relationship, as in dvds.@count or owner.name."
    case .invalidFetchedProperty(let name, let detail):
      "\(name) cannot be fetched: \(detail); correct its entity or its predicate."
    case .invalidFetchTemplate(let name, let detail):
      "The fetch request template “\(name)” cannot be fetched: \(detail); correct its predicate."
    case .unreadableRule(let attribute, let rule):
      "\(attribute) has the rule “\(rule)”, which cannot be parsed; write it as SELF >= 1 or"
        + " length <= 50."
    }
  }

  private static func shown(_ value: Value) -> String {
    if case .string(let text) = value { "“\(text)”" } else { value.isNull ? "null" : "\(value)" }
  }
}

extension AttributeType {
  /// The type with its article, for error messages.
  package var phrase: String {
    switch self {
    case .undefined: "a value"
    case .integer16: "an integer from -32,768 to 32,767"
    case .integer32: "an integer of 32 bits"
    case .integer64: "an integer"
    case .decimal, .double, .float: "a number"
    case .string: "text"
    case .boolean: "true or false"
    case .date: "a date"
    case .binaryData, .transformable: "bytes"
    case .uuid: "a UUID"
    case .uri: "a URL"
    }
  }

  /// An example of how to type a value of the type.
  package var example: String {
    switch self {
    case .integer16, .integer32, .integer64: "12"
    case .decimal, .double, .float: "12.5"
    case .undefined, .string: "text"
    case .boolean: "true or false"
    case .date: "2024-05-01 or 2024-05-01 13:45:00"
    case .binaryData, .transformable: "base64"
    case .uuid: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
    case .uri: "https://example.com/"
    }
  }
}

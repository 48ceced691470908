/// Something wrong with a model, or with a value for one of its attributes, as data.
///
/// `description` makes the sentence.
public struct ModelError: Error, Hashable, Sendable {
  /// What is wrong.
  public enum Reason: Hashable, Sendable {
    /// A value is of another type than the attribute.
    case wrongType(attribute: String, value: Value, type: AttributeType)
    /// A value does not fit the attribute's type.
    case outOfRange(attribute: String, value: Value, type: AttributeType)
    /// What was typed is no value of the attribute's type.
    case unreadable(attribute: String, text: String, type: AttributeType)
    /// Two entities, or two properties of one entity, have the same name.
    case duplicateName(String, entity: String?)
    /// An entity or a property has no name.
    case emptyName(entity: String?)
    /// An entity inherits from one that does not exist.
    case unknownSuperentity(entity: String, superentity: String, suggestions: [String])
    /// An entity inherits from itself, by way of others.
    case inheritanceCycle([String])
    /// An entity lacks a property of the entity it inherits from, or has another in its place.
    case notInherited(property: String, entity: String, superentity: String)
    /// A relationship leads to an entity that does not exist. It is named as `Person.dvds`.
    case unknownDestination(relationship: String, destination: String, suggestions: [String])
    /// A relationship's inverse does not exist.
    case unknownInverse(relationship: String, inverse: String, suggestions: [String])
    /// A relationship's inverse does not lead back, or names another as its own inverse.
    case inverseDisagrees(
      relationship: String, inverse: String, itsDestination: String, itsInverse: String?)
    /// A constraint, a key or a foreign key names an attribute that does not exist.
    case unknownAttribute(String, entity: String, role: String, suggestions: [String])
    /// A text is no model.
    case unreadableModel(String)
  }

  /// What is wrong.
  public var reason: Reason

  /// Describes an error.
  ///
  /// - Parameter reason: What is wrong.
  public init(_ reason: Reason) { self.reason = reason }
}

extension ModelError: CustomStringConvertible {
  /// The sentence for a person: what is wrong, where, and how to mend it.
  public var description: String {
    switch reason {
    case .wrongType(let attribute, let value, let type):
      "\(attribute) is \(type.phrase); \(Self.shown(value)) is \(value.kindDescription)."
    case .outOfRange(let attribute, let value, let type):
      "\(Self.shown(value)) does not fit \(attribute), which is \(type.phrase)."
    case .unreadable(let attribute, let text, let type):
      "“\(text)” is not \(type.phrase), which \(attribute) is; write it as \(type.example)."
    case .duplicateName(let name, let entity?): "\(entity) has two properties named “\(name)”."
    case .duplicateName(let name, nil): "There are two entities named “\(name)”."
    case .emptyName(let entity?): "A property of \(entity) has no name."
    case .emptyName(nil): "An entity has no name."
    case .unknownSuperentity(let entity, let superentity, let suggestions):
      "\(entity) inherits from “\(superentity)”, which is no entity of the model"
        + NearestNames.hint(suggestions)
    case .inheritanceCycle(let names):
      "\(names.joined(separator: " inherits from ")): an entity cannot inherit from itself."
    case .notInherited(let property, let entity, let superentity):
      "\(entity) inherits from \(superentity), but \(superentity).\(property) is not among its own properties as it is there."
    case .unknownDestination(let relationship, let destination, let suggestions):
      "\(relationship) leads to “\(destination)”, which is no entity of the model"
        + NearestNames.hint(suggestions)
    case .unknownInverse(let relationship, let inverse, let suggestions):
      "\(relationship) names \(inverse) as its inverse, which does not exist"
        + NearestNames.hint(suggestions)
    case .inverseDisagrees(let relationship, let inverse, let leadsTo, let itsInverse):
      "\(relationship) names \(inverse) as its inverse, but \(inverse) leads to \(leadsTo)"
        + (itsInverse.map { " and names \($0) as its own" } ?? " and names no inverse")
        + ". Each must name the other."
    case .unknownAttribute(let attribute, let entity, let role, let suggestions):
      "\(role) of \(entity) names “\(attribute)”, which is no attribute of it"
        + NearestNames.hint(suggestions)
    case .unreadableModel(let detail): "This is no model that can be read: \(detail)."
    }
  }

  private static func shown(_ value: Value) -> String {
    if case .string(let text) = value { "“\(text)”" } else { value.isNull ? "null" : "\(value)" }
  }
}

extension AttributeType {
  /// The type with its article, for sentences.
  package var phrase: String {
    switch self {
    case .undefined: "a value"
    case .integer16: "a whole number from -32768 to 32767"
    case .integer32: "a whole number of 32 bits"
    case .integer64: "a whole number"
    case .decimal, .double, .float: "a number"
    case .string: "text"
    case .boolean: "true or false"
    case .date: "a date"
    case .binaryData, .transformable: "bytes"
    case .uuid: "a UUID"
    case .uri: "a URL"
    }
  }

  /// How a person writes a value of the type.
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

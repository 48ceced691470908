import Foundation
package import ObjectModel

extension AttributeDescription {
  /// Reads what a person typed as a value of the attribute; an empty text is NULL, or the empty text
  /// where NULL is not allowed.
  ///
  /// - Throws: ``TypedValueError`` if it is no such value.
  func value(typed text: String) throws -> Value {
    if isOptional, text.allSatisfy(\.isWhitespace) { return .null }
    switch type {
    case .string, .undefined: return .string(text)
    case .binaryData, .transformable: break
    default: if let value = try? value(from: text), !value.isNull { return value }
    }
    throw TypedValueError(attribute: name, needed: needed)
  }

  private var needed: String {
    switch type {
    case .integer16, .integer32, .integer64: "a whole number"
    case .double, .float, .decimal: "a number"
    case .boolean: "yes or no"
    case .date: "a date such as 2026-04-14"
    case .uuid: "a UUID"
    default: "another editor"
    }
  }
}

/// A typed text that is no value of its attribute.
struct TypedValueError: Error, CustomStringConvertible {
  let attribute: String
  let needed: String

  var description: String { "\(attribute) needs \(needed)" }
}

extension ManagedObjectModel {
  /// The attribute at the end of a key path of an entity, through to-one relationships, and the
  /// entity that has it; nil if there is none.
  package func attribute(at keyPath: String, from entity: EntityDescription)
    -> (attribute: AttributeDescription, owner: EntityDescription)?
  {
    var owner = entity
    let steps = KeyPathText.components(of: keyPath) ?? []
    for step in steps.dropLast() {
      guard let relationship = owner.relationship(named: step), !relationship.isToMany,
        let next = self.entity(named: relationship.destinationEntityName)
      else { return nil }
      owner = next
    }
    return steps.last.flatMap { owner.attribute(named: $0) }.map { ($0, owner) }
  }
}

import ManagedObjects
import ObjectModel
import TerminalKit

extension DetailContents {
  /// The model's description of a property, in one line.
  func explanation(of property: Property) -> String {
    switch property {
    case .attribute(let name): object.entity.attribute(named: name).map(explanation) ?? ""
    case .relationship(let name): object.entity.relationship(named: name).map(explanation) ?? ""
    case .identity: ""
    }
  }

  private func explanation(_ attribute: AttributeDescription) -> String {
    var facts = [ValueText.typeName(attribute.type)]
    if let name = attribute.details.valueClassName, attribute.type == .transformable {
      facts[0] += " of \(name)"
    }
    if !attribute.isOptional { facts.append("required") }
    if !attribute.defaultValue.isNull { facts.append("default \(attribute.defaultValue)") }
    if let expression = attribute.details.defaultExpression {
      facts.append("default \(expression)")
    }
    if let derivation = attribute.details.derivation {
      facts.append("derived from \(derivation.expression)")
    } else if attribute.isReadOnly {
      facts.append("computed")
    }
    return "\(attribute.name): \(facts.joined(separator: ", "))"
  }

  private func explanation(_ relationship: RelationshipDescription) -> String {
    var facts = [
      "to \(relationship.isToMany ? "many" : "one") \(relationship.destinationEntityName)"
    ]
    if relationship.isOrdered { facts.append("ordered") }
    if !relationship.isOptional { facts.append("required") }
    facts.append(relationship.inverseName.map { "inverse \($0)" } ?? "no inverse")
    facts.append("delete rule \(relationship.deleteRule.rawValue)")
    return "\(relationship.name): \(facts.joined(separator: ", "))"
  }
}

import Foundation
import ObjectModel

@testable import ModelFiles

extension XCDataModelWriter {
  /// Returns the elements of an entity's own attributes and composites, and collects the composite
  /// types.
  mutating func attributes(of entity: EntityDescription) -> [MarkupElement] {
    let transient = model.own(\.details.transientAttributes, by: \.name, of: entity)
    let properties = CompositeTree(
      composites: model.own(\.details.composites, by: \.name, of: entity),
      attributes: model.ownAttributes(of: entity).map { ($0, false) }
        + transient.map { ($0, true) })
    return elements(in: nil, of: properties)
  }

  /// The elements of the attributes and composites in a composite; with nil of the outermost ones.
  private mutating func elements(in path: String?, of tree: CompositeTree) -> [MarkupElement] {
    var elements = tree.leaves(in: path).map { leaf, isTransient in
      attribute(leaf, name: tree.ownName(leaf.name, in: path), isTransient: isTransient)
    }
    for composite in tree.composites(in: path) {
      var element = MarkupElement(
        name: "attribute",
        attributes: [
          "name": tree.ownName(composite.name, in: path),
          "attributeType": AttributeType.xcodeCompositeName, "optional": "YES",
        ])
      element.setFlag("transient", tree.isTransient(composite.name))
      element.add(composite.details)
      var type = MarkupElement(
        name: "composite", children: self.elements(in: composite.name, of: tree))
      let typeName = define(&type, as: composite.typeName ?? tree.ownName(composite.name, in: path))
      element.attributes["composite"] = typeName
      if typeName != composite.typeName {
        element.attributes[XCDataModel.cardfilePrefix + "composite"] = composite.typeName ?? ""
      }
      elements.append(element)
    }
    return elements
  }

  /// Defines a composite type under a name, or under the next free one if a different type has that
  /// name; returns the name.
  private mutating func define(_ type: inout MarkupElement, as wanted: String) -> String {
    var name = wanted
    var number = 2
    type.attributes["name"] = name
    while let other = compositeTypes[name], other.xml() != type.xml() {
      name = "\(wanted)\(number)"
      number += 1
      type.attributes["name"] = name
    }
    compositeTypes[name] = type
    return name
  }

  private func attribute(
    _ attribute: AttributeDescription, name: String, isTransient: Bool
  ) -> MarkupElement {
    let details = attribute.details
    var element = MarkupElement(
      name: "attribute", attributes: ["name": name, "attributeType": attribute.type.xcodeName])
    element.setFlag("optional", attribute.isOptional)
    element.setFlag("transient", isTransient)
    if let number = details.unknownTypeNumber {
      element.attributes["attributeType"] = AttributeType.xcodeObjectID.name
      if number != AttributeType.xcodeObjectID.number { element.addJSON("type", number) }
    }
    if details.valueClassName != attribute.type.defaultValueClassName {
      element.attributes["customClassName"] = details.valueClassName ?? ""
    }
    element.attributes["valueTransformerName"] = details.valueTransformerName
    element.setFlag("allowsExternalBinaryDataStorage", details.allowsExternalBinaryDataStorage)
    element.setFlag("preserveAfterDeletion", details.preservesValueInHistoryOnDeletion)
    element.setFlag("allowsCloudEncryption", details.allowsCloudEncryption)
    if let derivation = details.derivation {
      element.setFlag("derived", true)
      element.attributes["derivationExpression"] = derivation.expression
      element.attributes[XCDataModel.cardfilePrefix + "derivationFilter"] = derivation.filter
    }
    write(attribute.defaultValue, of: attribute, to: &element)
    element.attributes[XCDataModel.cardfilePrefix + "defaultClass"] = details.defaultClassName
    element.addRules(details.property.validations, type: attribute.type)
    element.add(details.property)
    return element
  }

  /// Adds a default value in Xcode's form if it reads back equal, else as a `cardfile:` attribute.
  private func write(
    _ value: Value, of attribute: AttributeDescription, to element: inout MarkupElement
  ) {
    if value.isNull { return }
    if attribute.type == .date, case .date(let date) = value {
      element.attributes["defaultDateTimeInterval"] = "\(date.timeIntervalSinceReferenceDate)"
      return
    }
    let text: String? =
      switch value {
      case .bool(let truth): truth ? "YES" : "NO"
      case .integer(let number): String(number)
      case .double(let number): "\(number)"
      case .decimal(let number): "\(number)"
      case .string(let text): text
      case .uuid(let uuid): uuid.uuidString
      case .url(let url): url.absoluteString
      case .null, .date, .data: nil
      }
    if let text, !text.isEmpty || attribute.type == .string,
      AttributeDescription.reading(text, as: attribute.type) == value
    {
      element.attributes["defaultValueString"] = text
    } else {
      element.addJSON("default", value)
    }
  }
}

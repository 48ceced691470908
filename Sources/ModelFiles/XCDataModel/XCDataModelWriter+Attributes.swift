import Foundation
import ObjectModel

extension XCDataModelWriter {
  /// Writes an entity's own attributes and composites, and keeps the types of the composites.
  mutating func attributes(
    of entity: EntityDescription, without parent: EntityDescription?
  ) -> [MarkupElement] {
    let inherited = Set(
      (parent.map { $0.attributes + $0.details.transientAttributes } ?? []).map(\.name))
    let inheritedComposites = Set(parent?.details.composites.map(\.name) ?? [])
    let properties = CompositeTree(
      composites: entity.details.composites.filter { !inheritedComposites.contains($0.name) },
      attributes: entity.attributes.filter { !inherited.contains($0.name) }.map { ($0, false) }
        + entity.details.transientAttributes.filter { !inherited.contains($0.name) }
        .map { ($0, true) })
    return elements(in: nil, of: properties)
  }

  /// The attributes and composites that stand in a composite, or in none.
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
      element.say("transient", tree.isTransient(composite.name))
      element.add(composite.details)
      var type = MarkupElement(
        name: "composite", children: self.elements(in: composite.name, of: tree))
      let typeName = keep(&type, as: composite.typeName ?? tree.ownName(composite.name, in: path))
      element.attributes["composite"] = typeName
      if typeName != composite.typeName {
        element.attributes[XCDataModel.ownPrefix + "composite"] = composite.typeName ?? ""
      }
      elements.append(element)
    }
    return elements
  }

  /// Keeps the definition of a composite type under a name, or under the next free one when there is another of that name.
  private mutating func keep(_ type: inout MarkupElement, as wanted: String) -> String {
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
    element.say("optional", attribute.isOptional)
    element.say("transient", isTransient)
    if let number = details.unknownTypeNumber {
      element.attributes["attributeType"] = AttributeType.xcodeObjectID.name
      if number != AttributeType.xcodeObjectID.number { element.keep("type", number) }
    }
    if details.valueClassName != attribute.type.usualValueClassName {
      element.attributes["customClassName"] = details.valueClassName ?? ""
    }
    element.attributes["valueTransformerName"] = details.valueTransformerName
    element.say("allowsExternalBinaryDataStorage", details.allowsExternalBinaryDataStorage)
    element.say("preserveAfterDeletion", details.preservesValueInHistoryOnDeletion)
    element.say("allowsCloudEncryption", details.allowsCloudEncryption)
    if let derivation = details.derivation {
      element.say("derived", true)
      element.attributes["derivationExpression"] = derivation.expression
      element.attributes[XCDataModel.ownPrefix + "derivationFilter"] = derivation.filter
    }
    write(attribute.defaultValue, of: attribute, to: &element)
    element.attributes[XCDataModel.ownPrefix + "defaultClass"] = details.defaultClassName
    element.addRules(details.property.validations, type: attribute.type)
    element.add(details.property)
    return element
  }

  /// Writes a default as Xcode does where it reads back equal.
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
      element.keep("default", value)
    }
  }
}

import ObjectModel

@testable import ModelFiles

/// Writes a model as Xcode's XML: the file `contents` of an `.xcdatamodel` folder (core-data-stores
/// 3.3).
///
/// What the format cannot express (validations beyond bounds and patterns, sort descriptors) is
/// written as `cardfile:` attributes, which Xcode ignores, so that a Core Data model reads back
/// equal. Facts of plain databases (keys, encodings, declared types) are not written.
///
/// The program writes no such files: tests write random models to read them.
struct XCDataModelWriter {
  let model: ManagedObjectModel
  /// The `composite` elements collected so far, by name.
  var compositeTypes: [String: MarkupElement] = [:]

  /// Returns a model as XML.
  ///
  /// - Parameter model: The model.
  /// - Returns: The text of a `contents` file; equal models give equal text.
  static func xml(of model: ManagedObjectModel) -> String {
    var writer = XCDataModelWriter(model: model)
    return "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n" + writer.root().xml()
  }

  private init(model: ManagedObjectModel) { self.model = model }

  private mutating func root() -> MarkupElement {
    var root = MarkupElement(
      name: "model",
      attributes: [
        "type": "com.apple.IDECoreDataModeler.DataModel", "documentVersion": "1.0",
        "lastSavedToolsVersion": "22758", "minimumToolsVersion": "Automatic",
        "sourceLanguage": "Swift",
      ])
    let identifiers = model.details.versionIdentifiers
    root.attributes["userDefinedModelVersionIdentifier"] = identifiers.joined(separator: ", ")
    if identifiers.count != 1 { root.addJSON("versionIdentifiers", identifiers) }
    root.children = model.entities.map { entity($0) }
    root.children += model.details.configurations.sorted { $0.key < $1.key }.map { name, entities in
      MarkupElement(
        name: "configuration", attributes: ["name": name],
        children: entities.map { MarkupElement(name: "memberEntity", attributes: ["name": $0]) })
    }
    let templates = model.details.fetchRequestTemplates.sorted { $0.key < $1.key }
    root.children += templates.map { fetchRequest($0.value, name: $0.key) }
    root.children += compositeTypes.sorted { $0.key < $1.key }.map(\.value)
    if root.hasCardfileAttributes {
      root.attributes["xmlns:" + XCDataModel.cardfilePrefix.dropLast()] = "urn:cardfile:model"
    }
    return root
  }

  private mutating func entity(_ entity: EntityDescription) -> MarkupElement {
    let details = entity.details
    var element = MarkupElement(name: "entity", attributes: ["name": entity.name])
    element.attributes["representedClassName"] = details.className
    element.attributes["parentEntity"] = entity.superentityName
    element.attributes["elementID"] = details.renamingIdentifier
    element.attributes["versionHashModifier"] = details.versionHashModifier
    element.setFlag("isAbstract", entity.isAbstract)
    element.setFlag("syncable", true)
    element.children = attributes(of: entity)
    element.children += model.ownRelationships(of: entity).map {
      relationship($0, isTransient: false)
    }
    element.children += model.own(\.details.transientRelationships, by: \.name, of: entity).map {
      relationship($0, isTransient: true)
    }
    element.children += model.own(\.details.fetchedProperties, by: \.name, of: entity)
      .map(fetchedProperty)
    element.children += details.fetchIndexes.map(fetchIndex)
    element.add(
      "uniquenessConstraints",
      model.ownUniquenessConstraints(of: entity).map {
        Self.list("uniquenessConstraint", of: "constraint", $0)
      })
    element.add(
      "compoundIndexes",
      details.compoundIndexes.map { Self.list("compoundIndex", of: "index", $0) })
    element.addUserInfo(details.userInfo)
    return element
  }

  private static func list(_ name: String, of item: String, _ values: [String]) -> MarkupElement {
    MarkupElement(
      name: name, children: values.map { MarkupElement(name: item, attributes: ["value": $0]) })
  }

  private func relationship(
    _ relationship: RelationshipDescription, isTransient: Bool
  ) -> MarkupElement {
    let details = relationship.details
    var element = MarkupElement(name: "relationship", attributes: ["name": relationship.name])
    element.setFlag("optional", relationship.isOptional)
    element.setFlag("transient", isTransient)
    element.setFlag("toMany", relationship.isToMany)
    element.setFlag("ordered", relationship.isOrdered)
    element.attributes["deletionRule"] = relationship.deleteRule.xcodeName
    element.attributes["destinationEntity"] = relationship.destinationEntityName
    element.attributes["inverseName"] = relationship.inverseName
    if relationship.inverseName != nil {
      element.attributes["inverseEntity"] = relationship.destinationEntityName
    }
    if details.minCount > 0 { element.attributes["minCount"] = String(details.minCount) }
    let maximum = relationship.isToMany ? details.maxCount : 1
    if maximum > 0 { element.attributes["maxCount"] = String(maximum) }
    element.add(details.property)
    return element
  }

  private func fetchedProperty(_ property: FetchedPropertyDescription) -> MarkupElement {
    var element = MarkupElement(
      name: "fetchedProperty", attributes: ["name": property.name, "optional": "YES"],
      children: [fetchRequest(property.fetchRequest, name: "fetchedPropertyFetchRequest")])
    element.add(property.details)
    return element
  }

  private func fetchRequest(_ request: FetchRequestTemplate, name: String) -> MarkupElement {
    var element = MarkupElement(
      name: "fetchRequest", attributes: ["name": name, "entity": request.entityName])
    element.attributes["predicateString"] = request.predicate
    if request.fetchLimit > 0 { element.attributes["fetchLimit"] = String(request.fetchLimit) }
    if !request.sortDescriptors.isEmpty {
      element.addJSON("sortDescriptors", request.sortDescriptors)
    }
    return element
  }

  private func fetchIndex(_ index: FetchIndexDescription) -> MarkupElement {
    var element = MarkupElement(name: "fetchIndex", attributes: ["name": index.name])
    element.attributes["partialIndexPredicate"] = index.partialPredicate
    element.children = index.elements.map { part in
      MarkupElement(
        name: "fetchIndexElement",
        attributes: [
          part.isExpression ? "expression" : "property": part.property,
          "type": part.kind == .rTree ? XCDataModelReader.rTreeName : "Binary",
          "order": part.isAscending ? "ascending" : "descending",
        ])
    }
    return element
  }
}

extension AttributeType {
  /// The type's `attributeType` in Xcode's XML.
  var xcodeName: String { Self.byXcodeName.first { $0.value == self }?.key ?? "Undefined" }
}

extension DeleteRule {
  /// The rule's `deletionRule` in Xcode's XML.
  var xcodeName: String { Self.byXcodeName.first { $0.value == self }?.key ?? "Nullify" }
}

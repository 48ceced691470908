import Foundation
import ObjectModel

extension XCDataModelReader {
  /// Reads a relationship.
  mutating func relationship(
    _ element: MarkupElement, name: String
  ) throws(ModelFileError) -> RelationshipDescription {
    try budget.spend(properties: 1)
    let isToMany = element.says("toMany")
    let rule = element["deletionRule"].map { DeleteRule(xcodeName: $0) } ?? .noAction
    if rule == nil { notes.add("The delete rule of \(ModelNotes.quoted(name)) is not known") }
    return RelationshipDescription(
      name, to: element["destinationEntity"] ?? "", inverse: element.text("inverseName"),
      isToMany: isToMany, isOrdered: isToMany && element.says("ordered"),
      isOptional: element.says("optional"), deleteRule: rule ?? .noAction,
      details: RelationshipDetails(
        property: propertyDetails(of: element, name: name), minCount: element.count("minCount"),
        maxCount: isToMany ? element.count("maxCount") : 1))
  }

  /// Reads an index.
  mutating func fetchIndex(_ element: MarkupElement, of entity: String) -> FetchIndexDescription {
    let name = element["name"] ?? ""
    let elements = element.elements("fetchIndexElement").compactMap { part in
      let expression = part.text("expression").map { PredicateText.canonicalExpression($0) ?? $0 }
      return (expression ?? part.text("property")).map { property in
        FetchIndexDescription.Element(
          property, isExpression: expression != nil,
          kind: part["type"] == Self.rTreeName ? .rTree : .binary,
          isAscending: part["order"] != "descending")
      }
    }
    let predicate = element.text("partialIndexPredicate")
    return FetchIndexDescription(
      name, elements: elements,
      partialPredicate: condition(predicate, of: ModelNotes.quoted(entity, name)))
  }

  /// The name of a spatial index's type in a model of Xcode.
  static let rTreeName = "RTree"

  /// Reads a fetch request.
  mutating func fetchRequest(_ element: MarkupElement, name: String) -> FetchRequestTemplate {
    var template = FetchRequestTemplate(
      element["entity"] ?? "",
      predicate: condition(element.text("predicateString"), of: ModelNotes.quoted(name)),
      fetchLimit: element.count("fetchLimit"))
    if let json = element[XCDataModel.ownPrefix + "sortDescriptors"] {
      template.sortDescriptors = decoded([FetchRequestTemplate.SortKey].self, json, of: name) ?? []
    }
    return template
  }

  /// A condition in the form of compiled models; one that is not understood stays as it is.
  private mutating func condition(_ text: String?, of subject: String) -> String? {
    guard let text else { return nil }
    if let canonical = PredicateText.canonical(text) { return canonical }
    notes.add("The condition of \(subject) is not understood, and kept as it is")
    return text
  }

  /// What the model says beside its entities.
  mutating func details(of root: MarkupElement) -> ModelDetails {
    var details = ModelDetails()
    for configuration in root.elements("configuration") {
      let members = configuration.elements("memberEntity").compactMap { $0.text("name") }
      details.configurations[configuration["name"] ?? "", default: []] += members
    }
    details.configurations = details.configurations.mapValues { Set($0).sorted() }
    for request in root.elements("fetchRequest") {
      guard let name = request.text("name"), details.fetchRequestTemplates[name] == nil else {
        continue
      }
      details.fetchRequestTemplates[name] = fetchRequest(request, name: name)
    }
    if let json = root[XCDataModel.ownPrefix + "versionIdentifiers"] {
      details.versionIdentifiers = decoded([String].self, json, of: "model") ?? []
    } else {
      details.versionIdentifiers = [root["userDefinedModelVersionIdentifier"] ?? ""]
    }
    return details
  }
}

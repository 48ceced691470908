import Foundation
import ObjectModel

extension XCDataModelReader {
  /// Reads a relationship.
  mutating func relationship(
    _ element: MarkupElement, name: String
  ) throws(ModelFileError) -> RelationshipDescription {
    try budget.spend(properties: 1)
    let isToMany = element.flag("toMany")
    let rule = element["deletionRule"].map { DeleteRule(xcodeName: $0) } ?? .noAction
    if rule == nil { notes.add("The delete rule of \(ModelNotes.quoted(name)) is unknown") }
    return RelationshipDescription(
      name, to: element["destinationEntity"] ?? "", inverse: element.text("inverseName"),
      isToMany: isToMany, isOrdered: isToMany && element.flag("ordered"),
      isOptional: element.flag("optional"), deleteRule: rule ?? .noAction,
      details: RelationshipDetails(
        property: propertyDetails(of: element, name: name), minCount: element.count("minCount"),
        maxCount: isToMany ? element.count("maxCount") : 1))
  }

  /// Reads a fetch index.
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
      partialPredicate: normalized(predicate, of: ModelNotes.quoted(entity, name)))
  }

  /// The `type` of an R-tree index element in Xcode's XML.
  static let rTreeName = "RTree"

  /// Reads a fetch request.
  mutating func fetchRequest(_ element: MarkupElement, name: String) -> FetchRequestTemplate {
    var template = FetchRequestTemplate(
      element["entity"] ?? "",
      predicate: normalized(element.text("predicateString"), of: ModelNotes.quoted(name)),
      fetchLimit: element.count("fetchLimit"))
    if let json = element[XCDataModel.cardfilePrefix + "sortDescriptors"] {
      template.sortDescriptors = decoded([FetchRequestTemplate.SortKey].self, json, of: name) ?? []
    }
    return template
  }

  /// A predicate in the form of compiled models; one that cannot be parsed is kept unchanged, with
  /// a note.
  private mutating func normalized(_ text: String?, of subject: String) -> String? {
    guard let text else { return nil }
    if let canonical = PredicateText.canonical(text) { return canonical }
    notes.add("The predicate of \(subject) cannot be parsed and is kept as text")
    return text
  }

  /// Reads configurations, fetch request templates and version identifiers.
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
    if let json = root[XCDataModel.cardfilePrefix + "versionIdentifiers"] {
      details.versionIdentifiers = decoded([String].self, json, of: "model") ?? []
    } else {
      details.versionIdentifiers = [root["userDefinedModelVersionIdentifier"] ?? ""]
    }
    return details
  }
}

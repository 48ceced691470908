import Foundation
import ObjectModel

/// Decodes a model from the elements of Xcode's XML (core-data-stores 3.3).
///
/// What Xcode's compiler adds (value classes, predicates for bounds) is added here too, and
/// properties are sorted by name, so that the model equals the one in a store's model cache.
struct XCDataModelReader {
  var budget = DecodingBudget()
  var notes = ModelNotes()
  /// The `composite` elements, which define composite types, by name.
  let composites: [String: MarkupElement]

  /// Decodes a model.
  ///
  /// - Parameter root: The `model` element.
  /// - Returns: The valid model, with notes about what was left out.
  /// - Throws: ``ModelFileError`` when no entity has a name, or the decoding budget is exceeded.
  static func model(of root: MarkupElement) throws(ModelFileError) -> DecodedModel {
    let composites = root.elements("composite").map { ($0["name"] ?? "", $0) }
    var reader = XCDataModelReader(composites: Dictionary(firstOf: composites))
    let entities = try root.elements("entity").map { element throws(ModelFileError) in
      try reader.entity(element)
    }
    return try ModelAssembly.model(
      of: entities, details: reader.details(of: root), notes: reader.notes)
  }

  private init(composites: [String: MarkupElement]) { self.composites = composites }

  /// Reads an entity with its own properties.
  private mutating func entity(
    _ element: MarkupElement
  ) throws(ModelFileError) -> EntityDescription {
    let name = element["name"] ?? ""
    var properties = OwnProperties()
    for child in element.children.sorted(by: { ($0["name"] ?? "") < ($1["name"] ?? "") }) {
      try add(child, to: &properties)
    }
    var details = properties.details
    details.className = element.text("representedClassName")
    details.renamingIdentifier = renaming(of: element, from: name)
    details.versionHashModifier = element.text("versionHashModifier")
    details.userInfo = userInfo(of: element)
    details.fetchIndexes = element.elements("fetchIndex").map { fetchIndex($0, of: name) }
    details.compoundIndexes = nameLists(element, "compoundIndexes", "compoundIndex", "index")
    return EntityDescription(
      name: name, superentityName: element.text("parentEntity"),
      isAbstract: element.flag("isAbstract"), attributes: properties.attributes,
      relationships: properties.relationships,
      uniquenessConstraints: nameLists(
        element, "uniquenessConstraints", "uniquenessConstraint", "constraint"),
      details: details)
  }

  private mutating func add(
    _ element: MarkupElement, to properties: inout OwnProperties
  ) throws(ModelFileError) {
    let name = element["name"] ?? ""
    let isTransient = element.flag("transient")
    switch element.name {
    case "attribute" where element["attributeType"] == AttributeType.xcodeCompositeName:
      try addComposite(
        element, path: name, isTransient: isTransient, depth: 0, to: &properties)
    case "attribute":
      properties.add(try attribute(element, name: name), isTransient: isTransient)
    case "relationship":
      properties.add(try relationship(element, name: name), isTransient: isTransient)
    case "fetchedProperty":
      guard let request = element.elements("fetchRequest").first else {
        return notes.add("\(ModelNotes.quoted(name)) was left out: it has no fetch request")
      }
      properties.details.fetchedProperties.append(
        FetchedPropertyDescription(
          name, fetchRequest: fetchRequest(request, name: name),
          details: propertyDetails(of: element, name: name)))
    default: break
    }
  }

  /// Reads lists of names: the `value` attributes of the elements `item` in `list` in `lists`.
  private func nameLists(
    _ element: MarkupElement, _ lists: String, _ list: String, _ item: String
  ) -> [[String]] {
    element.elements(lists).flatMap { $0.elements(list) }
      .map { $0.elements(item).compactMap { $0.text("value") } }.filter { !$0.isEmpty }
  }

  /// Reads the details that attributes, relationships and fetched properties have in common.
  func propertyDetails(of element: MarkupElement, name: String) -> PropertyDetails {
    PropertyDetails(
      renamingIdentifier: renaming(of: element, from: name),
      versionHashModifier: element.text("versionHashModifier"), userInfo: userInfo(of: element),
      isIndexedBySpotlight: element.flag("spotlightIndexingEnabled"),
      isIndexed: element.flag("indexed"))
  }

  /// The renaming identifier: the name in an earlier model version; nil if it is the same.
  private func renaming(of element: MarkupElement, from name: String) -> String? {
    element.text("elementID").flatMap { $0 == name ? nil : $0 }
  }

  private func userInfo(of element: MarkupElement) -> [String: String] {
    let entries = element.elements("userInfo").flatMap { $0.elements("entry") }.compactMap {
      entry in
      entry["key"].map { ($0, entry["value"] ?? "") }
    }
    return Dictionary(firstOf: entries)
  }
}

/// Reads Xcode's source models: the file `contents` of an `.xcdatamodel` folder (core-data-stores
/// 3.3).
enum XCDataModel {
  /// The namespace prefix of attributes for what Xcode's format cannot express; Xcode ignores them.
  static let cardfilePrefix = "cardfile:"

  /// Reads a `contents` file as Xcode's compiler would, with notes about what was left out;
  /// external entities and internal document type declarations are refused.
  ///
  /// - Throws: ``ModelFileError`` when the XML is damaged, too large, or not a model.
  static func model(from data: Data) throws(ModelFileError) -> DecodedModel {
    guard data.count <= maximumSize else {
      throw ModelFileError(.tooLarge, detail: "it has more than \(maximumSize >> 20) MB of XML")
    }
    let root = try MarkupElement.root(of: data)
    guard root.name == "model" else {
      throw ModelFileError(
        .malformed, detail: "its root element is <\(root.name.prefix(40))>, not <model>")
    }
    return try XCDataModelReader.model(of: root)
  }

  /// The maximum size of the XML in bytes; the largest model seen has 500 KB.
  private static let maximumSize = 32 << 20
}

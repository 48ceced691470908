import Foundation
import ObjectModel

/// Decodes a model from the keyed archive of an NSManagedObjectModel (core-data-stores 3.1).
///
/// The archive is untrusted: missing keys get default values, invalid parts are left out with a
/// note, and all work is counted.
struct ModelDecoder {
  var budget = DecodingBudget()
  var notes = ModelNotes()
  /// The property names of super-entities by archive index, read once for all their sub-entities.
  private var propertyNames: [Int: Set<String>] = [:]

  /// Decodes the archive of a model cache or a compiled model (`.mom`) to a valid model, with notes
  /// about what was left out.
  ///
  /// - Throws: ``ModelFileError`` when the archive contains no model or exceeds the decoding
  ///   budget.
  static func model(of archive: KeyedArchive) throws(ModelFileError) -> DecodedModel {
    var decoder = ModelDecoder()
    guard let root = archive.root, root.className == "NSManagedObjectModel" else {
      // The files `elements` and `layout` of a source model of Xcode 3.
      if archive.hasClass(prefixed: "XDPM") { throw ModelFileError.xcode3Model }
      let found = archive.root?.className.map { "it is an archive of \(ModelNotes.quoted($0))" }
      throw ModelFileError(.malformed, detail: found ?? "its archive is empty")
    }
    var entities: [EntityDescription] = []
    for (name, entity) in try decoder.budget.values(of: root["NSEntities"]) {
      guard entities.count <= ModelAssembly.maximumEntities else { break }
      entities.append(try decoder.entity(entity, name: name))
    }
    let details = try decoder.details(of: root)
    return try ModelAssembly.model(of: entities, details: details, notes: decoder.notes)
  }

  /// Reads an entity with its own properties only.
  private mutating func entity(
    _ object: ArchivedObject, name key: String
  ) throws(ModelFileError) -> EntityDescription {
    let name = object["NSEntityName"]?.string ?? key
    let parent = object["NSSuperentity"]
    var properties = OwnProperties()
    let inherited = try inheritedNames(from: parent)
    for (name, property) in try budget.values(of: object["NSProperties"])
    where !inherited.contains(name) {
      try add(property, to: &properties)
    }
    var details = properties.details
    details.className = object["NSClassNameForEntity"]?.string
    details.renamingIdentifier = renaming(of: object, from: name)
    details.versionHashModifier = object["NSVersionHashModifier"]?.string
    details.userInfo = try userInfo(of: object)
    details.fetchIndexes = try fetchIndexes(of: object, entity: name)
    details.compoundIndexes = try nameLists(object["NSCompoundIndexes"])
    return EntityDescription(
      name: name, superentityName: parent?["NSEntityName"]?.string,
      isAbstract: object["NSIsAbstract"]?.bool ?? false, attributes: properties.attributes,
      relationships: properties.relationships,
      uniquenessConstraints: try nameLists(object["NSUniqueTuples"]), details: details)
  }

  private mutating func inheritedNames(
    from parent: ArchivedObject?
  ) throws(ModelFileError) -> Set<String> {
    guard let parent, let index = parent.index else { return [] }
    if let known = propertyNames[index] { return known }
    let names = try budget.keys(of: parent["NSProperties"])
    propertyNames[index] = names
    return names
  }

  private mutating func details(of root: ArchivedObject) throws(ModelFileError) -> ModelDetails {
    var details = ModelDetails()
    for (name, entities) in try budget.values(of: root["NSConfigurations"]) {
      let names = try budget.members(of: entities).compactMap {
        $0.string ?? $0["NSEntityName"]?.string
      }
      details.configurations[name] = Set(names).sorted()
    }
    for (name, request) in try budget.values(of: root["NSFetchRequestTemplates"]) {
      details.fetchRequestTemplates[name] = try fetchRequest(request, name: name)
    }
    let identifiers = try budget.members(of: root["NSVersionIdentifiers"])
    details.versionIdentifiers = Set(identifiers.compactMap(\.text)).sorted()
    return details
  }

  /// The renaming identifier: the name in an earlier model version; nil if it is the same.
  func renaming(of object: ArchivedObject, from name: String) -> String? {
    let former = object["NSRenamingIdentifier"]?.string
    return former == name || former == "" ? nil : former
  }

  /// Reads a user info dictionary; values other than strings are converted to text.
  mutating func userInfo(of object: ArchivedObject) throws(ModelFileError) -> [String: String] {
    let values = try budget.values(of: object["NSUserInfo"]).map { ($0.key, $0.value.text ?? "") }
    return Dictionary(firstOf: values)
  }

  /// Reads lists of property names; an element is a string or a property object.
  private mutating func nameLists(_ lists: ArchivedObject?) throws(ModelFileError) -> [[String]] {
    var result: [[String]] = []
    for list in try budget.members(of: lists) {
      let names = try budget.members(of: list).compactMap {
        $0.string ?? underlying($0)["NSPropertyName"]?.string
      }
      if !names.isEmpty { result.append(names) }
    }
    return result
  }

  /// A predicate as text; nil, with a note that names it, if the format cannot express it.
  mutating func text(
    ofPredicate object: ArchivedObject, _ name: String
  ) throws(ModelFileError) -> String? {
    let text = try PredicateDecoder.text(ofPredicate: object, &budget)
    if text == nil { noteInexpressible("The \(name)") }
    return text
  }

  mutating func noteInexpressible(_ subject: String) {
    notes.add("\(subject) cannot be expressed in NSPredicate's format")
  }

  /// The property that a proxy refers to, or the property itself.
  func underlying(_ property: ArchivedObject) -> ArchivedObject {
    property["NSUnderlyingProperty"] ?? property
  }
}

extension ArchivedObject {
  /// A string, number, UUID or URL as text, or a class name in angle brackets; nil for a plain
  /// value of another kind.
  var text: String? {
    switch plainValue {
    case .string(let text): text
    case .integer(let number): String(number)
    case .double(let number): "\(number)"
    case .decimal(let number): "\(number)"
    case .bool(let truth): truth ? "YES" : "NO"
    case .uuid(let uuid): uuid.uuidString
    case .url(let url): url.absoluteString
    case .date, .data, .null, nil: className.map { "<\($0)>" }
    }
  }
}

import Foundation
import ObjectModel

extension XCDataModelReader {
  private static let maximumNesting = 10

  /// Reads an attribute that is not a composite; its path is its name, or the key path of a
  /// composite's leaf.
  ///
  /// - Throws: ``ModelFileError`` when the decoding budget is exceeded.
  mutating func attribute(
    _ element: MarkupElement, name path: String
  ) throws(ModelFileError) -> AttributeDescription {
    // The leaves of a composite type are read again for each attribute of the type, so each reading
    // is counted.
    try budget.spend(path.utf8.count + element.weight)
    try budget.spend(properties: 1)
    let typeName = element["attributeType"] ?? "Undefined"
    let type = AttributeType(xcodeName: typeName)
    var details = AttributeDetails(
      property: propertyDetails(of: element, name: element["name"] ?? path))
    if type == nil {
      details.unknownTypeNumber =
        element[XCDataModel.cardfilePrefix + "type"].flatMap { Int($0) }
        ?? (typeName == AttributeType.xcodeObjectID.name ? AttributeType.xcodeObjectID.number : nil)
      if details.unknownTypeNumber == nil {
        notes.add(
          "\(ModelNotes.quoted(path)) has the unknown type \(ModelNotes.quoted(typeName))"
        )
      }
    }
    details.valueClassName =
      if let name = element["customClassName"] { name.isEmpty ? nil : name } else {
        type?.defaultValueClassName
      }
    details.valueTransformerName = element.text("valueTransformerName")
    details.allowsExternalBinaryDataStorage =
      (type == .binaryData || type == .transformable)
      && element.flag("allowsExternalBinaryDataStorage")
    details.preservesValueInHistoryOnDeletion = element.flag("preserveAfterDeletion")
    details.allowsCloudEncryption = element.flag("allowsCloudEncryption")
    details.derivation = derivation(of: element, name: path)
    details.property.validations = validations(of: element, type: type ?? .undefined, name: path)
    details.defaultClassName = element[XCDataModel.cardfilePrefix + "defaultClass"]
    return AttributeDescription(
      path, type ?? .undefined,
      encoding: (type ?? .undefined).coreDataEncoding(
        isExternal: details.allowsExternalBinaryDataStorage),
      isOptional: element.flag("optional"),
      defaultValue: defaultValue(of: element, type: type ?? .undefined, name: path),
      isReadOnly: details.derivation != nil, details: details)
  }

  private mutating func defaultValue(
    of element: MarkupElement, type: AttributeType, name: String
  ) -> Value {
    if let json = element[XCDataModel.cardfilePrefix + "default"] {
      return decoded(Value.self, json, of: name) ?? .null
    }
    if type == .date, let seconds = element["defaultDateTimeInterval"].flatMap({ Double($0) }) {
      return .date(Date(timeIntervalSinceReferenceDate: seconds))
    }
    guard let text = element["defaultValueString"], type == .string || !text.isEmpty else {
      return .null
    }
    if let value = Self.number(text, as: type) ?? AttributeDescription.reading(text, as: type) {
      return value
    }
    notes.add("The default value of \(ModelNotes.quoted(name)) does not match its type")
    return .null
  }

  /// The default of a number or a boolean as Xcode compiles it: a number may be written as YES, NO,
  /// true or false, a boolean or an integer as `0.0`; nil for any other text.
  private static func number(_ text: String, as type: AttributeType) -> Value? {
    var number = Double(text)
    switch text.lowercased() {
    case "yes", "true": number = 1
    case "no", "false": number = 0
    default: break
    }
    guard let number, Number.isNumeric(text) == (Double(text) != nil) else { return nil }
    switch type {
    case .boolean: return .bool(number != 0)
    case .integer16, .integer32, .integer64:
      return Int64(text) == nil ? Int64(exactly: number).map(Value.integer) : nil
    case .double, .float: return .double(number)
    case .decimal: return Double(text) == nil ? .decimal(Decimal(number)) : nil
    default: return nil
    }
  }

  private mutating func derivation(
    of element: MarkupElement, name: String
  ) -> AttributeDetails.Derivation? {
    let text = element["derivationExpression"] ?? ""
    guard element.flag("derived") || !text.isEmpty else { return nil }
    if let expression = PredicateText.canonicalExpression(text) {
      return .init(expression, filter: element[XCDataModel.cardfilePrefix + "derivationFilter"])
    }
    notes.add("The derivation of \(ModelNotes.quoted(name)) cannot be parsed and is kept as text")
    return .init(text, filter: element[XCDataModel.cardfilePrefix + "derivationFilter"])
  }

  /// Decodes the JSON of a `cardfile:` attribute; nil, with a note, if it is invalid.
  mutating func decoded<Content: Decodable>(
    _ type: Content.Type, _ json: String, of name: String
  ) -> Content? {
    do {
      return try JSONDecoder().decode(type, from: Data(json.utf8))
    } catch {
      notes.add(
        "A cardfile: attribute of \(ModelNotes.quoted(name)) has invalid JSON and is ignored")
      return nil
    }
  }

  /// Adds a composite attribute, and its leaf attributes named by their key paths.
  mutating func addComposite(
    _ element: MarkupElement, path: String, isTransient: Bool, depth: Int,
    to properties: inout OwnProperties
  ) throws(ModelFileError) {
    try budget.spend(1 + path.utf8.count)
    try budget.spend(properties: 1)
    let typeName = element[XCDataModel.cardfilePrefix + "composite"] ?? element["composite"] ?? ""
    properties.details.composites.append(
      CompositeAttributeDescription(
        path, typeName: typeName.isEmpty ? nil : typeName,
        details: propertyDetails(of: element, name: element["name"] ?? path)))
    guard let composite = element["composite"].flatMap({ composites[$0] }) else {
      return notes.add("\(ModelNotes.quoted(path)) has an unknown composite type")
    }
    guard depth < Self.maximumNesting else {
      return notes.add("\(ModelNotes.quoted(path)) is nested too deeply")
    }
    let elements = composite.elements("attribute")
    for element in elements.sorted(by: { ($0["name"] ?? "") < ($1["name"] ?? "") }) {
      guard let name = element.text("name") else { continue }
      let leafPath = path + "." + name
      if element["attributeType"] == AttributeType.xcodeCompositeName {
        try addComposite(
          element, path: leafPath, isTransient: isTransient, depth: depth + 1, to: &properties)
      } else {
        var leaf = try attribute(element, name: leafPath)
        leaf.details.compositeName = path
        properties.add(leaf, isTransient: isTransient)
      }
    }
  }
}

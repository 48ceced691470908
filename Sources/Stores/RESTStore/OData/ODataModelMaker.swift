import Foundation
import ObjectModel

/// Makes an ``ODataModel`` of a metadata document.
struct ODataModelMaker {
  private let document: CSDLDocument
  private let types: [String: CSDLDocument.StructuredType]
  private(set) var names: [String: String] = [:]
  private(set) var entities: [String: ODataModel.Entity] = [:]
  private(set) var descriptions: [EntityDescription] = []
  private(set) var notes: [String]

  init(_ document: CSDLDocument) {
    self.document = document
    notes = document.notes
    types = Dictionary(
      document.types.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  mutating func make() throws(StoreError) {
    var sets: [String: CSDLDocument.EntitySet] = [:]
    for set in document.sets {
      if sets[set.type] == nil {
        sets[set.type] = set
      } else {
        notes.append("\(set.name) has objects of a type that another set has too")
      }
    }
    let lines = try document.types.filter(\.isEntity).map { type throws(StoreError) in
      (type, try line(of: type))
    }
    // A type has objects if a set has its type, or that of one that it extends or that extends it.
    let shown = Set(sets.keys)
    let used = lines.filter { type, line in
      line.contains { shown.contains($0.name) }
        || lines.contains { shown.contains($0.0.name) && $0.1.contains { $0.name == type.name } }
    }
    for (type, line) in used { names[type.name] = name(of: type, line) }
    for (type, line) in used {
      guard let name = names[type.name] else { continue }
      let ancestor = line.last { sets[$0.name] != nil }
      let set = ancestor.flatMap { sets[$0.name] }
      var entity = ODataModel.Entity(typeName: type.name, setName: set?.name)
      entity.path = set.map { ancestor?.name == type.name ? $0.name : "\($0.name)/\(type.name)" }
      entity.capabilities = set?.capabilities ?? ODataCapabilities()
      entity.key = line.flatMap(\.key).map { $0.replacingOccurrences(of: "/", with: ".") }
      describe(type, line, as: name, entity)
    }
  }

  /// A type and those that it extends, the root first.
  private func line(of type: CSDLDocument.StructuredType) throws(StoreError)
    -> [CSDLDocument.StructuredType]
  {
    var line = [type]
    while let base = line[0].base {
      guard let next = types[base] else {
        throw CSDLReader.error("\(line[0].name) extends \(base), which is not in it")
      }
      guard line.count < 50, !line.contains(where: { $0.name == base }) else {
        throw CSDLReader.error("\(type.name) extends itself")
      }
      line.insert(next, at: 0)
    }
    return line
  }

  /// The name of the type, with its namespace if another namespace has the same.
  private func name(
    of type: CSDLDocument.StructuredType, _ line: [CSDLDocument.StructuredType]
  ) -> String {
    let parts = type.name.split(separator: ".")
    let short = String(parts.last ?? "")
    let isTaken = document.types.contains {
      $0.isEntity && $0.name != type.name && $0.name.hasSuffix(".\(short)")
    }
    return isTaken ? parts.joined(separator: "_") : short
  }

  private mutating func describe(
    _ type: CSDLDocument.StructuredType, _ line: [CSDLDocument.StructuredType], as name: String,
    _ entity: ODataModel.Entity
  ) {
    var entity = entity
    var attributes: [AttributeDescription] = []
    var composites: [CompositeAttributeDescription] = []
    for property in line.flatMap(\.properties) {
      add(property, at: [], [], &attributes, &composites, &entity)
    }
    let attributeNames = Set(attributes.map(\.name))
    // A key that is not among the attributes would be a fault of the document.
    entity.key = entity.key.filter(attributeNames.contains)
    var seen = attributeNames
    var relationships: [RelationshipDescription] = []
    for owner in line {
      for navigation in owner.navigations {
        guard let relationship = relationship(navigation, of: owner),
          seen.insert(navigation.name).inserted
        else { continue }
        relationships.append(relationship)
        entity.foreignKeys[navigation.name] = foreignKey(of: navigation, attributeNames)
      }
    }
    // The service sets them with the relationship; it refuses what is missing.
    for name in Set(entity.foreignKeys.values.joined()).subtracting(entity.key) {
      guard let index = attributes.firstIndex(where: { $0.name == name }) else { continue }
      (attributes[index].isReadOnly, attributes[index].isOptional) = (true, true)
    }
    let can = entity.capabilities
    var details = EntityDetails(composites: composites)
    details.isServed = entity.setName != nil
    let isReadOnly = !can.isInsertable && !can.isUpdatable && !can.isDeletable
    descriptions.append(
      EntityDescription(
        name: name, superentityName: type.base.flatMap { names[$0] }, isAbstract: type.isAbstract,
        attributes: attributes, relationships: relationships, keyAttributes: entity.key,
        readOnlyReason: entity.setName == nil && !type.isAbstract
          ? "no set of the service has them" : isReadOnly ? "the service only shows them" : nil,
        details: details))
    entities[name] = entity
  }

  /// Adds a property, or the properties of a complex one.
  private mutating func add(
    _ property: CSDLDocument.Property, at path: [String], _ complexTypes: [String],
    _ attributes: inout [AttributeDescription], _ composites: inout [CompositeAttributeDescription],
    _ entity: inout ODataModel.Entity
  ) {
    let path = path + [property.name]
    let name = path.joined(separator: ".")
    guard entity.properties[name] == nil else { return }
    let type = document.definitions[property.type] ?? property.type
    if !property.isCollection, let complex = types[type], !complex.isEntity,
      !complexTypes.contains(type), complexTypes.count < 5, let line = try? line(of: complex)
    {
      composites.append(CompositeAttributeDescription(name, typeName: type))
      for inner in line.flatMap(\.properties) {
        var inner = inner
        // A leaf has no value if the whole has none.
        if property.isNullable { inner.isNullable = true }
        add(inner, at: path, complexTypes + [type], &attributes, &composites, &entity)
      }
      return
    }
    if type == "Edm.Stream" {
      let note = "\(property.name) of \(entity.typeName) is a stream"
      if !notes.contains(note) { notes.append(note) }
      return
    }
    let kind = kind(of: property, type)
    entity.properties[name] = ODataModel.Property(path: path, kind: kind)
    var attribute = AttributeDescription(
      name, Self.attributeType(of: kind), isOptional: property.isNullable || kind == .json,
      isReadOnly: property.isComputed || kind == .json, declaredType: declared(property),
      details: details(property, kind, path))
    if let text = property.defaultValue {
      attribute.defaultValue = ODataValue(kind).value(url: text)
    }
    attributes.append(attribute)
  }

  private func kind(of property: CSDLDocument.Property, _ type: String) -> ODataModel.Kind {
    if property.isCollection { return .json }
    if let primitive = EdmType(qualified: type) {
      return .primitive(primitive, precision: property.precision)
    }
    guard let enumeration = document.enumerations[type] else { return .json }
    return .enumeration(type, members: enumeration.members, isFlags: enumeration.isFlags)
  }

  private static func attributeType(of kind: ODataModel.Kind) -> AttributeType {
    switch kind {
    case .primitive(let type, _): type.attributeType
    case .enumeration, .json: .string
    }
  }

  private func declared(_ property: CSDLDocument.Property) -> String {
    property.isCollection ? "Collection(\(property.type))" : property.type
  }

  private func details(
    _ property: CSDLDocument.Property, _ kind: ODataModel.Kind, _ path: [String]
  ) -> AttributeDetails? {
    var rules: [ValidationRule] = []
    if let length = property.maxLength, kind == .primitive(.string, precision: property.precision) {
      rules.append(ValidationRule("length <= \(length)"))
    }
    if case .enumeration(_, let members, isFlags: false) = kind, !members.isEmpty {
      let list = members.map { "\"\($0)\"" }.joined(separator: ", ")
      rules.append(ValidationRule("SELF IN {\(list)}"))
    }
    guard !rules.isEmpty || path.count > 1 else { return nil }
    return AttributeDetails(
      property: PropertyDetails(validations: rules),
      compositeName: path.count > 1 ? path.dropLast().joined(separator: ".") : nil)
  }

  private func relationship(
    _ navigation: CSDLDocument.Navigation, of owner: CSDLDocument.StructuredType
  ) -> RelationshipDescription? {
    guard let destination = names[navigation.type], types[navigation.type] != nil else {
      return nil
    }
    return RelationshipDescription(
      navigation.name, to: destination, inverse: inverse(of: navigation, owner),
      isToMany: navigation.isCollection, isOptional: navigation.isNullable,
      deleteRule: rule(of: navigation))
  }

  /// The attributes that hold the key of the destination, in the order of its key; nil if they do
  /// not hold all of it.
  private func foreignKey(of navigation: CSDLDocument.Navigation, _ attributes: Set<String>)
    -> [String]?
  {
    guard !navigation.isCollection, let type = types[navigation.type],
      let line = try? line(of: type)
    else { return nil }
    let columns = line.flatMap(\.key).map { referenced in
      navigation.constraints.first { $0.referenced == referenced }?.property
    }
    let known = columns.compactMap(\.self).filter(attributes.contains)
    return known.isEmpty || known.count < columns.count ? nil : known
  }

  /// The name of the relationship that leads back, if both agree, or only one says it.
  private func inverse(
    of navigation: CSDLDocument.Navigation, _ owner: CSDLDocument.StructuredType
  ) -> String? {
    guard let (type, back) = partner(of: navigation, owner),
      let again = partner(of: back, type), again.0.name == owner.name,
      again.1.name == navigation.name
    else { return nil }
    return back.name
  }

  /// The navigation property that leads back, with the type that declares it: the one that this one
  /// names, else the only one that names this one.
  private func partner(
    of navigation: CSDLDocument.Navigation, _ owner: CSDLDocument.StructuredType
  ) -> (CSDLDocument.StructuredType, CSDLDocument.Navigation)? {
    guard let type = types[navigation.type], let line = try? line(of: type),
      let ownLine = try? self.line(of: owner)
    else { return nil }
    let back = line.flatMap { type in type.navigations.map { (type, $0) } }.filter { candidate in
      ownLine.contains { $0.name == candidate.1.type }
    }
    if let partner = navigation.partner { return back.first { $0.1.name == partner } }
    let claiming = back.filter { $0.1.partner == navigation.name }
    return claiming.count == 1 ? claiming[0] : nil
  }

  /// What a deletion does: what the document says; else only the object itself is changed here, and
  /// the service decides.
  private func rule(of navigation: CSDLDocument.Navigation) -> DeleteRule {
    switch navigation.onDelete {
    case "Cascade": .cascade
    case "None": .deny
    case "SetNull": .nullify
    case "SetDefault": .setDefault
    default: navigation.isCollection ? .noAction : .nullify
    }
  }
}

import ModelFiles
import ObjectModel

/// A model that is derived from the objects of an XML store.
///
/// The entities are those of the version hashes in the metadata, which have their capitals, and of the
/// objects; attributes have the types that the file names, relationships are to-one where the file
/// says that they lead to one object at most. An entity whose objects a relationship leads to that is
/// said to lead to another one inherits from that: ``XMLHierarchy``. Inverses are what the references
/// show: ``XMLInverses``.
struct XMLModel {
  let model: ManagedObjectModel
  /// What inherits from what, as `Focus, Tag and ToDo are a Thing`; empty if nothing does.
  let inheritance: [String]

  /// The properties of an entity, by their names in the file.
  private struct Properties {
    var attributes: [String: AttributeType] = [:]
    var relationships: [String: XMLDatabase.Relationship] = [:]
    /// The relationships that not every object has.
    var optional: Set<String> = []

    /// Adds those of another entity, and keeps its own ones; false if one cannot be both.
    mutating func add(_ other: Properties) -> Bool {
      for (name, type) in other.attributes {
        if relationships[name] != nil || attributes[name].map({ $0 != type }) == true {
          return false
        }
        attributes[name] = type
      }
      for (name, relationship) in other.relationships {
        let own = relationships[name]
        if attributes[name] != nil || own.map({ !$0.isLike(relationship) }) == true {
          return false
        }
        relationships[name] = own ?? relationship
        if own == nil || other.optional.contains(name) { optional.insert(name) }
      }
      return true
    }

    /// Keeps what another entity has alike.
    mutating func keep(_ other: Properties) {
      attributes = attributes.filter { other.attributes[$0.key] == $0.value }
      relationships = relationships.filter {
        other.relationships[$0.key]?.isLike($0.value) == true
      }
      optional.formUnion(other.optional)
    }
  }

  init(of database: XMLDatabase) {
    var properties: [String: Properties] = [:]
    var types = Set(database.objects.map(\.type))
    for object in database.objects {
      for attribute in object.attributes {
        let type = AttributeType(xmlName: attribute.type) ?? .undefined
        properties[object.type, default: Properties()].attributes[attribute.name] = type
      }
      for relationship in object.relationships {
        properties[object.type, default: Properties()].relationships[relationship.name] =
          relationship
        if relationship.ids.isEmpty || relationship.minimum == 0 {
          properties[object.type]?.optional.insert(relationship.name)
        }
        types.insert(relationship.destination)
      }
    }
    for object in database.objects {
      let own = Set(object.relationships.map(\.name))
      for name in (properties[object.type]?.relationships ?? [:]).keys where !own.contains(name) {
        properties[object.type]?.optional.insert(name)
      }
    }
    var names = Dictionary(firstOf: types.map { ($0, $0) })
    let hashes = database.metadata?["NSStoreModelVersionHashes"]?.dictionary ?? [:]
    for name in hashes.keys { names[name.uppercased()] = name }

    let found = XMLHierarchy(of: database)
    let inherited = Self.inheriting(properties, found)
    let hierarchy = inherited == nil ? XMLHierarchy() : found
    let all = inherited ?? properties
    let objects = Set(database.objects.map(\.type))
    /// The relationship of the entity that others inherit it from.
    func end(_ type: String, _ name: String) -> XMLInverses.End {
      var end = XMLInverses.End(type: type, name: name)
      while let parent = hierarchy.parents[end.type],
        all[parent]?.relationships[name] != nil
      {
        end = XMLInverses.End(type: parent, name: name)
      }
      return end
    }
    let inverses = XMLInverses(of: database, end: end) { own, other in
      let destination = all[own.type]?.relationships[own.name]?.destination ?? ""
      return all[destination]?.relationships[other.name] != nil
        && end(destination, other.name) == other
    }
    let entities = names.map { type, name in
      let own = all[type] ?? Properties()
      return EntityDescription(
        name: name, superentityName: hierarchy.parents[type].map { names[$0] ?? $0 },
        isAbstract: !objects.contains(type) && hierarchy.parents.values.contains(type),
        attributes: own.attributes.sorted { $0.key < $1.key }.map {
          AttributeDescription($0.key, $0.value)
        },
        relationships: own.relationships.sorted { $0.key < $1.key }.map {
          RelationshipDescription(
            $0.key, to: names[$0.value.destination] ?? $0.value.destination,
            inverse: inverses.name(of: end(type, $0.key)),
            isToMany: $0.value.maximum != 1, isOptional: own.optional.contains($0.key))
        })
    }
    model = ManagedObjectModel(entities: entities.sorted { $0.name < $1.name })
    inheritance = Dictionary(grouping: hierarchy.parents, by: \.value).sorted { $0.key < $1.key }
      .map { parent, children in
        let list = children.map { names[$0.key] ?? $0.key }.sorted()
        let last = list.count > 1 ? " and " + (list.last ?? "") : ""
        return list.prefix(max(1, list.count - 1)).joined(separator: ", ") + last
          + (list.count > 1 ? " are " : " is ") + "a \(names[parent] ?? parent)"
      }
  }

  /// The properties of all entities with those that they inherit; an entity without objects has what
  /// all that inherit from it have alike.
  ///
  /// - Returns: The properties; nil if an entity would have two of one name.
  private static func inheriting(_ own: [String: Properties], _ hierarchy: XMLHierarchy)
    -> [String: Properties]?
  {
    var all = own
    // From the leaves to the roots.
    for type in hierarchy.types.reversed() where own[type] == nil {
      let children = hierarchy.types.filter { hierarchy.parents[$0] == type }
      all[type] = children.dropFirst().reduce(into: all[children.first ?? ""] ?? Properties()) {
        $0.keep(all[$1] ?? Properties())
      }
    }
    for type in hierarchy.types {
      guard let parent = hierarchy.parents[type] else { continue }
      guard all[type, default: Properties()].add(all[parent] ?? Properties()) else { return nil }
    }
    return all
  }
}

extension XMLDatabase.Relationship {
  /// Whether it can be the same relationship of a common superentity.
  fileprivate func isLike(_ other: Self) -> Bool {
    destination == other.destination && (maximum == 1) == (other.maximum == 1)
  }
}

extension AttributeType {
  /// The types of Core Data's XML stores; the last four are in no file that is known.
  private static let xmlNames: KeyValuePairs<AttributeType, String> = [
    .string: "string", .integer16: "int16", .integer32: "int32", .boolean: "bool",
    .float: "float", .date: "date", .binaryData: "binary", .integer64: "int64",
    .double: "double", .decimal: "decimal", .transformable: "transformable",
  ]

  /// The type by its name in an XML store; nil if no file that is known has it.
  init?(xmlName: String) {
    guard let type = Self.xmlNames.first(where: { $0.value == xmlName })?.key else { return nil }
    self = type
  }

  /// Its name in an XML store; what has none is written as text.
  var xmlName: String { Self.xmlNames.first { $0.key == self }?.value ?? "string" }
}

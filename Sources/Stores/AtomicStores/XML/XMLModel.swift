import ModelFiles
import ObjectModel

/// A model that is derived from the objects of an XML store.
///
/// The entities are those of the version hashes in the metadata, which have their capitals, and of the
/// objects; attributes have the types that the file names, relationships are to-one where the file
/// says that they lead to one object at most.
struct XMLModel {
  let model: ManagedObjectModel

  init(of database: XMLDatabase) {
    var attributes: [String: [String: AttributeType]] = [:]
    var relationships: [String: [String: XMLDatabase.Relationship]] = [:]
    var types = Set(database.objects.map(\.type))
    for object in database.objects {
      for attribute in object.attributes {
        let type = AttributeType(xmlName: attribute.type) ?? .undefined
        attributes[object.type, default: [:]][attribute.name] = type
      }
      for relationship in object.relationships {
        relationships[object.type, default: [:]][relationship.name] = relationship
        types.insert(relationship.destination)
      }
    }
    var names = Dictionary(firstOf: types.map { ($0, $0) })
    let hashes = database.metadata?["NSStoreModelVersionHashes"]?.dictionary ?? [:]
    for name in hashes.keys { names[name.uppercased()] = name }
    let entities = names.map { type, name in
      EntityDescription(
        name: name,
        attributes: (attributes[type] ?? [:]).sorted { $0.key < $1.key }.map {
          AttributeDescription($0.key, $0.value)
        },
        relationships: (relationships[type] ?? [:]).sorted { $0.key < $1.key }.map {
          RelationshipDescription(
            $0.key, to: names[$0.value.destination] ?? $0.value.destination,
            isToMany: $0.value.maximum != 1, isOptional: $0.value.minimum == 0)
        })
    }
    model = ManagedObjectModel(entities: entities.sorted { $0.name < $1.name })
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

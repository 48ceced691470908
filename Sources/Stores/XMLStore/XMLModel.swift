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
            isToMany: $0.value.maximum != 1)
        })
    }
    model = ManagedObjectModel(entities: entities.sorted { $0.name < $1.name })
  }
}

extension AttributeType {
  /// The type by its name in an XML store; nil if no file that is known has it.
  init?(xmlName: String) {
    let types: [String: AttributeType] = [
      "string": .string, "int16": .integer16, "int32": .integer32, "int64": .integer64,
      "bool": .boolean, "float": .float, "double": .double, "decimal": .decimal, "date": .date,
      "binary": .binaryData,
    ]
    guard let type = types[xmlName] else { return nil }
    self = type
  }
}

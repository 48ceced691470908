import ObjectModel

/// The model of an OData service, and how its names are written in addresses and bodies.
struct ODataModel: Sendable {
  /// What the values of an attribute are in the service.
  enum Kind: Hashable, Sendable {
    /// A primitive type; the precision is the number of digits after the second of a date, nil if
    /// the document does not say.
    case primitive(EdmType, precision: Int?)
    /// An enumeration by its qualified name; values are the names of its members.
    case enumeration(String, members: [String], isFlags: Bool)
    /// A collection, a geography, an unknown type: a text of JSON, which is only read.
    case json
  }

  /// An attribute in the service.
  struct Property: Hashable, Sendable {
    /// The names on the way to the value: several inside a complex property.
    var path: [String]
    var kind: Kind

    /// The path as it is written in an address.
    var text: String { path.joined(separator: "/") }
  }

  /// An entity in the service.
  struct Entity: Sendable {
    /// The qualified name of its type.
    var typeName: String
    /// The path of its objects from the root of the service, with a cast to the type if the set is
    /// that of a type that it extends; nil if no set has them.
    var path: String?
    /// The name of the set that has its objects.
    var setName: String?
    /// The attributes by name.
    var properties: [String: Property] = [:]
    /// The names of the key's attributes.
    var key: [String] = []
    /// The attributes that hold the key of a to-one relationship's destination, by relationship.
    ///
    /// The model does not say so: keys of objects here need not be those of the service.
    var foreignKeys: [String: [String]] = [:]
    var capabilities = ODataCapabilities()
  }

  /// Whether the service speaks version 4.01.
  let is401: Bool
  /// Whether several requests can be sent as one.
  let hasBatch: Bool
  let model: ManagedObjectModel
  /// The entities by name.
  let entities: [String: Entity]
  /// The names of the entities by the qualified names of their types.
  let names: [String: String]
  /// What of the service is not shown, one sentence each.
  let notes: [String]
}

extension ODataModel {
  /// Makes the model of a metadata document.
  ///
  /// Entities are those that a set has, and those that these extend or that extend these. Complex
  /// properties become composite attributes.
  ///
  /// - Throws: `StoreError` if types extend each other in a circle.
  init(_ document: CSDLDocument) throws(StoreError) {
    var maker = ODataModelMaker(document)
    try maker.make()
    hasBatch = document.hasBatch
    is401 = document.version != "4.0"
    model = ManagedObjectModel(entities: maker.descriptions)
    entities = maker.entities
    names = maker.names
    notes = maker.notes
    do {
      try model.validate()
    } catch {
      throw CSDLReader.error("\(error)")
    }
  }
}

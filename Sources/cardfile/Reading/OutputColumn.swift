import ObjectModel

/// A column of the output.
struct OutputColumn {
  enum Kind {
    case attribute(AttributeDescription)
    case toOne, toMany
    /// The object's URI.
    case objectID
    /// The name of the object's own entity.
    case entityName
  }

  let name: String
  let kind: Kind

  /// The name of the column that shows an object's URI.
  static let objectIDName = "objectID"
  /// The name of the column that shows the name of an object's own entity.
  static let entityColumnName = "entity"

  /// The columns of an entity, in the order of its attributes.
  static func all(of entity: EntityDescription, relationships: Bool) -> [OutputColumn] {
    entity.attributes.map { OutputColumn(name: $0.name, kind: .attribute($0)) }
      + (relationships ? entity.relationships.map(OutputColumn.init) : [])
  }

  /// The columns of an object of an entity: ID, entity, attributes by name, relationships by name.
  static func whole(of entity: EntityDescription, relationships: Bool) -> [OutputColumn] {
    let attributes = entity.attributes.sorted { $0.name < $1.name }
    let relationships = relationships ? entity.relationships.sorted { $0.name < $1.name } : []
    return [
      OutputColumn(name: objectIDName, kind: .objectID),
      OutputColumn(name: entityColumnName, kind: .entityName),
    ] + attributes.map { OutputColumn(name: $0.name, kind: .attribute($0)) }
      + relationships.map(OutputColumn.init)
  }

  /// The columns that `--columns` names: attributes, relationships, `objectID` and `entity`.
  static func named(_ text: String, of entity: EntityDescription, in names: NameResolver)
    throws(Failure) -> [OutputColumn]
  {
    var columns: [OutputColumn] = []
    for name in NameList.split(text).map(NameList.unquoted) {
      if let attribute = entity.attribute(named: name) {
        columns.append(OutputColumn(name: name, kind: .attribute(attribute)))
      } else if let relationship = entity.relationship(named: name) {
        columns.append(OutputColumn(relationship))
      } else if name == objectIDName {
        columns.append(OutputColumn(name: name, kind: .objectID))
      } else if name == entityColumnName {
        columns.append(OutputColumn(name: name, kind: .entityName))
      } else {
        throw names.unknown(
          name, in: entity, option: "--columns",
          offering: (entity.attributes.map(\.name) + entity.relationships.map(\.name)) + [
            objectIDName, entityColumnName,
          ])
      }
    }
    guard !columns.isEmpty else {
      throw Failure(.usage, "--columns is empty", try: "--columns \"name,born\"")
    }
    return columns
  }

  private init(name: String, kind: Kind) {
    self.name = name
    self.kind = kind
  }

  private init(_ relationship: RelationshipDescription) {
    self.init(name: relationship.name, kind: relationship.isToMany ? .toMany : .toOne)
  }
}

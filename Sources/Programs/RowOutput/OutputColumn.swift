package import ObjectModel

/// A column of the output.
package struct OutputColumn: Sendable {
  /// What a column shows.
  package enum Kind: Sendable {
    case attribute(AttributeDescription)
    case toOne, toMany
    /// The object's URI.
    case objectID
    /// The name of the object's own entity.
    case entityName
  }

  /// The name.
  package let name: String
  /// What it shows.
  package let kind: Kind
  /// The names of the composites, from the outside, in whose JSON object the column is an element.
  package var composites: [String] = []

  /// The last part of the name of a composite's element, else the name.
  package var elementName: String {
    composites.isEmpty ? name : String(name.dropFirst(composites.joined(separator: ".").count + 1))
  }

  /// The name of the column that shows an object's URI.
  package static let objectIDName = "objectID"
  /// The name of the column that shows the name of an object's own entity.
  package static let entityColumnName = "entity"

  /// The columns of an entity, in the order of its attributes.
  package static func all(of entity: EntityDescription, relationships: Bool) -> [OutputColumn] {
    entity.attributes.map { OutputColumn(name: $0.name, kind: .attribute($0)) }
      + (relationships ? entity.relationships.map(OutputColumn.init) : [])
  }

  /// The columns of an object of an entity: ID, entity, attributes by name, relationships by name.
  package static func whole(of entity: EntityDescription, relationships: Bool) -> [OutputColumn] {
    let attributes = entity.attributes.sorted { $0.name < $1.name }
    let relationships = relationships ? entity.relationships.sorted { $0.name < $1.name } : []
    return [
      OutputColumn(name: objectIDName, kind: .objectID),
      OutputColumn(name: entityColumnName, kind: .entityName),
    ] + attributes.map(OutputColumn.init(element:))
      + relationships.map(OutputColumn.init)
  }

  /// Makes a column that is in no composite.
  package init(name: String, kind: Kind) {
    self.name = name
    self.kind = kind
  }

  /// A column of an attribute that may be an element of a composite.
  package init(element attribute: AttributeDescription) {
    self.init(name: attribute.name, kind: .attribute(attribute))
    let path = attribute.details.compositeName ?? ""
    if attribute.name.hasPrefix(path + ".") {
      composites = path.split(separator: ".").map(String.init)
    }
  }

  /// A column of a relationship.
  package init(_ relationship: RelationshipDescription) {
    self.init(name: relationship.name, kind: relationship.isToMany ? .toMany : .toOne)
  }
}

/// The columns of rows.
package enum RowColumns {
  /// The same for every object.
  case fixed([OutputColumn])
  /// Those of each object's own entity, which can have more than the entity that was fetched.
  case whole(relationships: Bool)

  /// The columns of an object of an entity.
  package func columns(of entity: EntityDescription) -> [OutputColumn] {
    switch self {
    case .fixed(let columns): columns
    case .whole(let relationships): OutputColumn.whole(of: entity, relationships: relationships)
    }
  }
}

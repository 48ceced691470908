import ObjectModel
import Testing

/// Expects models to be equal; compares them part by part, so that a failure prints only the parts
/// that differ.
func expectEqual(
  _ found: ManagedObjectModel, _ wanted: ManagedObjectModel,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  var differences: [String] = []
  func compare<Part: Equatable>(_ name: String, _ found: Part, _ wanted: Part) {
    if found != wanted { differences.append("\(name): \(found), not \(wanted)") }
  }
  func compare(_ name: String, _ found: [AttributeDescription], _ wanted: [AttributeDescription]) {
    compare(name, found.map(\.name), wanted.map(\.name))
    for (found, wanted) in zip(found, wanted) where found != wanted {
      compare("\(name).\(wanted.name)", found.details, wanted.details)
      compare("\(name).\(wanted.name)", "\(found)", "\(wanted)")
    }
  }
  func compare(
    _ name: String, _ found: [RelationshipDescription], _ wanted: [RelationshipDescription]
  ) {
    compare(name, found.map(\.name), wanted.map(\.name))
    for (found, wanted) in zip(found, wanted) where found != wanted {
      compare("\(name).\(wanted.name)", found.details, wanted.details)
      compare("\(name).\(wanted.name)", "\(found)", "\(wanted)")
    }
  }
  compare("details", found.details, wanted.details)
  compare("entities", found.entities.map(\.name), wanted.entities.map(\.name))
  for (found, wanted) in zip(found.entities, wanted.entities) where found != wanted {
    let name = wanted.name
    compare(name, found.attributes, wanted.attributes)
    compare(name, found.relationships, wanted.relationships)
    compare(
      name + " transient", found.details.transientAttributes, wanted.details.transientAttributes)
    compare(
      name + " transient", found.details.transientRelationships,
      wanted.details.transientRelationships)
    compare(name + " composites", found.details.composites, wanted.details.composites)
    compare(name + " fetched", found.details.fetchedProperties, wanted.details.fetchedProperties)
    compare(name + " indexes", found.details.fetchIndexes, wanted.details.fetchIndexes)
    compare(name + " unique", found.uniquenessConstraints, wanted.uniquenessConstraints)
    if differences.isEmpty { compare(name, "\(found)", "\(wanted)") }
  }
  #expect(differences.prefix(3).joined(separator: "\n") == "", sourceLocation: sourceLocation)
  #expect((found == wanted) == differences.isEmpty, sourceLocation: sourceLocation)
}

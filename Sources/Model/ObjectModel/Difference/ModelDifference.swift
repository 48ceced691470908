/// How the objects of one version of a model become those of another: which entities and properties
/// belong together, what changes, and why it cannot be inferred.
///
/// The rules are those of Core Data's inferred mappings (*Migrating your data model automatically*):
/// names belong together, or a name and the renaming identifier of the later version; what could lose
/// a value or leave a required one empty is refused, and so is a common parent for entities that had
/// none.
public struct ModelDifference: Hashable, Sendable {
  /// The entities of both models: those of the destination in its order, then those that are removed.
  package let entities: [EntityDifference]
  /// Why entities cannot have the superentities that they have in the destination, a sentence each.
  package let hierarchyRefusals: [String]

  /// Compares two versions of a model.
  ///
  /// - Parameters:
  ///   - source: The model of the objects that there are.
  ///   - destination: The model that they are to have.
  public init(from source: ManagedObjectModel, to destination: ManagedObjectModel) {
    let pairs = VersionPairs<EntityDescription>(from: source, to: destination)
    let names = EntityNames(pairs.pairs, source: source, destination: destination)
    entities = pairs.pairs.map { EntityDifference(from: $0, to: $1, names) }
    hierarchyRefusals =
      pairs.claims.map { "\($0.owner) and \($0.name) are both renamed from \($0.source)" }
      + Self.mergedHierarchies(names)
  }

  /// Whether the models are alike in everything that is compared.
  public var isEmpty: Bool { entities.allSatisfy(\.isEmpty) }

  /// Why no migration can be inferred, a sentence each; empty if one can.
  public var refusals: [String] { hierarchyRefusals + entities.flatMap(\.refusals) }

  /// The names of the entities, and of the properties as `Entity.property`, whose values have no
  /// destination; those of the source.
  public var losses: [String] { entities.flatMap(\.losses) }

  /// The differences as lines: what is added begins with `+`, what is removed with `-`, what is
  /// changed with `~`; properties are indented by two blanks.
  public var lines: [String] { entities.flatMap(\.lines) }

  /// Whether two models have the same objects, whatever else they say of them, such as their classes.
  package static func isEmpty(from source: ManagedObjectModel, to destination: ManagedObjectModel)
    -> Bool
  {
    ModelDifference(from: source, to: destination).isEmpty
      || source.differences(from: destination).isEmpty
  }

  /// Entities that had no common superentity must not get one.
  private static func mergedHierarchies(_ names: EntityNames) -> [String] {
    var roots: [String: String] = [:]
    var refusals: [String] = []
    for entity in names.destination.entities {
      guard let root = names.destination.line(of: entity.name).last,
        let before = names.sourceName[entity.name].flatMap({ names.source.line(of: $0).last })
      else { continue }
      guard let known = roots[root] else {
        roots[root] = before
        continue
      }
      let refusal =
        "\(known) and \(before) have no superentity in common, and cannot get \(root) as one"
      if known != before, !refusals.contains(refusal) { refusals.append(refusal) }
    }
    return refusals
  }
}

/// What becomes of the objects of an entity; see ``ModelDifference``.
package struct EntityDifference: Hashable, Sendable {
  /// The name in the source; nil if the entity is added.
  package let sourceName: String?
  /// The name in the destination; nil if the entity is removed.
  package let destinationName: String?
  /// What changes of the entity itself, such as `superentity: none → Party`.
  package let changes: [String]
  /// The properties of both entities, inherited ones too; empty if the entity is added or removed.
  package let properties: [PropertyDifference]
  /// Why the entity itself cannot change so; nil if it can.
  package let refusal: String?

  /// Compares two entities that belong together, or says that one is added or removed.
  init(from source: EntityDescription?, to destination: EntityDescription?, _ names: EntityNames) {
    (sourceName, destinationName) = (source?.name, destination?.name)
    guard let source, let destination else {
      (changes, properties, refusal) = ([], [], nil)
      return
    }
    changes = ModelFact.changes(
      from: source.facts(naming: { names.destinationName[$0] ?? $0 }),
      to: destination.facts(naming: { $0 }))
    refusal =
      destination.isAbstract && !source.isAbstract
      ? "\(destination.name) becomes abstract, and its objects would have no entity" : nil
    let attributes = VersionPairs<AttributeDescription>(from: source, to: destination)
    let relationships = VersionPairs<RelationshipDescription>(from: source, to: destination)
    let hasObjects = names.hasObjects(destination)
    let superentities = names.superentities(of: destination)
    func isInherited(
      _ old: String?, _ new: String?, _ has: (EntityDescription, String) -> Bool
    ) -> Bool {
      guard let (earlier, later) = superentities else { return false }
      return old.map { has(earlier, $0) } != false && new.map { has(later, $0) } != false
    }
    properties =
      attributes.pairs.map { old, new in
        PropertyDifference(
          from: old, to: new, claims: attributes.claims, hasObjects: hasObjects,
          isInherited: isInherited(old?.name, new?.name) { $0.attribute(named: $1) != nil })
      }
      + relationships.pairs.map { old, new in
        PropertyDifference(
          from: old, to: new, claims: relationships.claims, hasObjects: hasObjects,
          isInherited: isInherited(old?.name, new?.name) { $0.relationship(named: $1) != nil },
          names)
      }
  }

  /// The properties that are not already compared as those of the superentity.
  private var ownProperties: [PropertyDifference] { properties.filter { !$0.isInherited } }

  /// Whether nothing is different.
  package var isEmpty: Bool {
    sourceName == destinationName && changes.isEmpty && properties.allSatisfy(\.isEmpty)
  }

  /// Why no migration can be inferred, a sentence each.
  package var refusals: [String] {
    (refusal.map { [$0] } ?? [])
      + ownProperties.compactMap { property in
        property.refusal.map { "\(destinationName ?? "").\(property.name) \($0)" }
      }
  }

  var losses: [String] {
    guard let sourceName else { return [] }
    guard destinationName != nil else { return [sourceName] }
    return ownProperties.compactMap { property in
      property.destinationName == nil ? "\(sourceName).\(property.name)" : nil
    }
  }

  var lines: [String] {
    let properties = ownProperties.filter { !$0.isEmpty }
    if sourceName == destinationName, changes.isEmpty, properties.isEmpty { return [] }
    return [ModelFact.line(from: sourceName, to: destinationName, changes)]
      + properties.map { "  " + $0.line }
  }
}

/// What becomes of the values of an attribute, or of a relationship; see ``ModelDifference``.
package struct PropertyDifference: Hashable, Sendable {
  /// The name in the source; nil if the property is added.
  package let sourceName: String?
  /// The name in the destination; nil if the property is removed.
  package let destinationName: String?
  /// Whether it is a relationship.
  package let isRelationship: Bool
  /// Whether both entities inherit it from superentities that belong together, which have the same
  /// difference.
  package let isInherited: Bool
  /// What changes, such as `type: integer16 → integer64`; what an added or removed one is.
  package let changes: [String]
  /// The end of a sentence that begins with the property and says why it cannot change so; nil if it
  /// can.
  package let refusal: String?

  /// The name in the destination, or else in the source.
  package var name: String { destinationName ?? sourceName ?? "" }

  /// Whether nothing is different.
  package var isEmpty: Bool { sourceName == destinationName && changes.isEmpty }

  var line: String { ModelFact.line(from: sourceName, to: destinationName, changes) }

  init(
    from source: AttributeDescription?, to destination: AttributeDescription?,
    claims: [RenamingClaim], hasObjects: Bool, isInherited: Bool
  ) {
    (sourceName, destinationName) = (source?.name, destination?.name)
    (isRelationship, self.isInherited) = (false, isInherited)
    changes = ModelFact.changes(from: source?.facts, to: destination?.facts)
    refusal =
      Self.claim(destination?.name, claims)
      ?? destination.flatMap { hasObjects ? $0.refusal(after: source) : nil }
  }

  init(
    from source: RelationshipDescription?, to destination: RelationshipDescription?,
    claims: [RenamingClaim], hasObjects: Bool, isInherited: Bool, _ names: EntityNames
  ) {
    (sourceName, destinationName) = (source?.name, destination?.name)
    (isRelationship, self.isInherited) = (true, isInherited)
    changes = ModelFact.changes(
      from: source?.facts(
        naming: { names.destinationName[$0] ?? $0 }, inverse: names.inverseName(of: source)),
      to: destination?.facts(naming: { $0 }, inverse: destination?.inverseName))
    refusal =
      Self.claim(destination?.name, claims)
      ?? destination.flatMap { hasObjects ? $0.refusal(after: source, names) : nil }
  }

  private static func claim(_ name: String?, _ claims: [RenamingClaim]) -> String? {
    claims.first { $0.name == name }.map { "and \($0.owner) are both renamed from \($0.source)" }
  }
}

package import Foundation

/// How objects of an entity become objects of another: Core Data's `NSEntityMapping`.
///
/// An entity may have several mappings, so that its objects become objects of several entities, or
/// none, so that they are removed. A mapping without a source makes what its policy makes.
public struct EntityMapping: Sendable {
  /// The values of a new object's attributes by name, from the object that it is made of; nil for
  /// an object of which none is made.
  public typealias Values = @Sendable (MigrationSource) throws -> [String: Value]?

  /// Its name, by which relationships refer to it.
  public var name: String
  /// The entity of the objects that there are; nil if there is none.
  public var sourceEntityName: String?
  /// The entity of the new objects; nil if the objects are removed.
  public var destinationEntityName: String?
  /// Which objects it is for, not those of subentities; nil for all.
  public var sourcePredicate: FetchPredicate?
  /// How attributes get their values; those without one have their defaults.
  public var attributeMappings: [PropertyMapping]
  /// How relationships get their objects.
  public var relationshipMappings: [PropertyMapping]
  /// Makes values of attributes beside ``attributeMappings``, which they replace; nil for none.
  public var values: Values?
  /// The name by which the policy that carries it out is registered; nil for the mapping itself.
  public var policyName: String?

  /// The version hashes of both entities in a compiled mapping model; nil if they are not known.
  package var sourceVersionHash: Data?
  package var destinationVersionHash: Data?

  /// Makes a mapping.
  ///
  /// - Parameters:
  ///   - source: The entity of the objects that there are; nil for none.
  ///   - destination: The entity of the new objects; nil to remove them.
  ///   - name: Its name; nil for `SourceToDestination`.
  ///   - attributes: How attributes get their values.
  ///   - relationships: How relationships get their objects.
  ///   - policyName: The name of its policy.
  ///   - values: Makes values of attributes.
  public init(
    _ source: String?, to destination: String?, name: String? = nil,
    attributes: [PropertyMapping] = [], relationships: [PropertyMapping] = [],
    policyName: String? = nil, values: Values? = nil
  ) {
    (sourceEntityName, destinationEntityName) = (source, destination)
    self.name = name ?? [source, destination].compactMap(\.self).joined(separator: "To")
    (attributeMappings, relationshipMappings) = (attributes, relationships)
    (self.policyName, self.values) = (policyName, values)
  }

  /// Its policy; nil if it has none, or it is not registered.
  var policy: EntityMigrationPolicy? { policyName.flatMap(EntityMigrationPolicy.named) }
}

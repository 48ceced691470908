import Synchronization

/// What a program does in place of an entity mapping, or after it: Core Data's
/// `NSEntityMigrationPolicy`.
public struct EntityMigrationPolicy: Sendable {
  /// Makes the objects of a source: see ``MigrationManager/makeInstances(of:in:)``, which is what is
  /// done without it.
  package var createDestinationInstances:
    (@Sendable (MigrationSource, EntityMapping, MigrationManager) throws -> Void)?
  /// Gives an object its relationships, when all objects are made: see
  /// ``MigrationManager/makeRelationships(of:in:)``, which is what is done without it.
  package var createRelationships:
    (@Sendable (MigrationDestination, EntityMapping, MigrationManager) throws -> Void)?
  /// Is called once before the mapping, as for objects that are made of none.
  package var begin: (@Sendable (EntityMapping, MigrationManager) throws -> Void)?
  /// What expressions call by `FUNCTION($entityPolicy, "selector:", …)`, by selector.
  package var functions: [String: @Sendable ([Value]) throws -> Value]

  /// Makes a policy.
  public init(
    createDestinationInstances: (
      @Sendable (MigrationSource, EntityMapping, MigrationManager) throws -> Void
    )? = nil,
    createRelationships: (
      @Sendable (MigrationDestination, EntityMapping, MigrationManager) throws -> Void
    )? = nil,
    begin: (@Sendable (EntityMapping, MigrationManager) throws -> Void)? = nil,
    functions: [String: @Sendable ([Value]) throws -> Value] = [:]
  ) {
    self.createDestinationInstances = createDestinationInstances
    self.createRelationships = createRelationships
    (self.begin, self.functions) = (begin, functions)
  }

  // MARK: Names

  private static let registered = Mutex<[String: EntityMigrationPolicy]>([:])

  /// Lets mappings use a policy by a name, as Xcode's mapping models name a class.
  ///
  /// - Parameters:
  ///   - policy: The policy.
  ///   - name: The name: `Module.Class`, or that of the class alone.
  public static func register(_ policy: EntityMigrationPolicy, as name: String) {
    registered.withLock { $0[name] = policy }
  }

  /// The policy with a name; nil if none is registered.
  ///
  /// A class is found without its module too.
  static func named(_ name: String) -> EntityMigrationPolicy? {
    registered.withLock { $0[name] ?? $0[String(name.split(separator: ".").last ?? "")] }
  }
}

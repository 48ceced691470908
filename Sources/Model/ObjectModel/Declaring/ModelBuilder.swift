/// The result builder of ``ManagedObjectModel/init(_:)``, with loops and conditions.
@resultBuilder
public enum ModelBuilder {
  /// Accepts an entity as a statement.
  public static func buildExpression(_ part: Entity) -> [Entity] { [part] }
  /// Accepts an array of entities as a statement.
  public static func buildExpression(_ parts: [Entity]) -> [Entity] { parts }
  /// Joins the entities of a block.
  public static func buildBlock(_ parts: [Entity]...) -> [Entity] { parts.flatMap(\.self) }
  /// Joins the entities of a loop.
  public static func buildArray(_ parts: [[Entity]]) -> [Entity] { parts.flatMap(\.self) }
  /// The entities of an `if` without `else`.
  public static func buildOptional(_ parts: [Entity]?) -> [Entity] { parts ?? [] }
  /// The entities of the first branch of an `if`.
  public static func buildEither(first parts: [Entity]) -> [Entity] { parts }
  /// The entities of an `else`.
  public static func buildEither(second parts: [Entity]) -> [Entity] { parts }
}

/// The result builder of ``Entity``, with loops and conditions.
@resultBuilder
public enum EntityBuilder {
  /// Accepts a member as a statement.
  public static func buildExpression(_ part: any EntityMember) -> [any EntityMember] { [part] }
  /// Accepts an array of members as a statement.
  public static func buildExpression(_ parts: [any EntityMember]) -> [any EntityMember] { parts }
  /// Joins the members of a block.
  public static func buildBlock(_ parts: [any EntityMember]...) -> [any EntityMember] {
    parts.flatMap(\.self)
  }
  /// Joins the members of a loop.
  public static func buildArray(_ parts: [[any EntityMember]]) -> [any EntityMember] {
    parts.flatMap(\.self)
  }
  /// The members of an `if` without `else`.
  public static func buildOptional(_ parts: [any EntityMember]?) -> [any EntityMember] {
    parts ?? []
  }
  /// The members of the first branch of an `if`.
  public static func buildEither(first parts: [any EntityMember]) -> [any EntityMember] { parts }
  /// The members of an `else`.
  public static func buildEither(second parts: [any EntityMember]) -> [any EntityMember] { parts }
}

/// A member of an ``Entity``: an ``Attribute``, ``ToOne``, ``ToMany``, ``FetchedProperty``,
/// ``Unique``, ``FetchIndex``, ``FetchTemplate`` or ``EntityOptions``; a typed key is one too.
public protocol EntityMember: Sendable {
  /// Adds itself to an entity.
  func add(to entity: inout Entity)
}

extension ManagedObjectModel {
  /// Creates a model in code.
  ///
  ///     let model = ManagedObjectModel {
  ///       Entity("Person") {
  ///         Attribute("name", .string, isOptional: false)
  ///         ToMany("dvds", "DVD", inverse: "owner", deleteRule: .cascade)
  ///       }
  ///       Entity("DVD") {
  ///         Attribute("title", .string)
  ///         ToOne("owner", "Person", inverse: "dvds")
  ///       }
  ///     }
  ///
  /// An entity with a super-entity gets the inherited properties before its own. Call
  /// ``validate()`` to check the model.
  ///
  /// - Parameter entities: The entities, in any order.
  public init(@ModelBuilder _ entities: () -> [Entity]) {
    let written = entities()
    let byName = Dictionary(firstOf: written.map { ($0.name, $0) })
    var details = ModelDetails()
    for entity in written {
      details.fetchRequestTemplates.merge(entity.fetchRequestTemplates) { first, _ in first }
    }
    self.init(entities: written.map { $0.description(among: byName) }, details: details)
  }
}

/// The result builder of ``ManagedObjectModel/init(_:)``, with loops and conditions.
@resultBuilder
public enum ModelBuilder {
  /// Takes one.
  public static func buildExpression(_ part: Entity) -> [Entity] { [part] }
  /// Takes those that were made elsewhere.
  public static func buildExpression(_ parts: [Entity]) -> [Entity] { parts }
  /// Collects those of a block.
  public static func buildBlock(_ parts: [Entity]...) -> [Entity] { parts.flatMap(\.self) }
  /// Collects those of a loop.
  public static func buildArray(_ parts: [[Entity]]) -> [Entity] { parts.flatMap(\.self) }
  /// Takes those of an `if` without `else`.
  public static func buildOptional(_ parts: [Entity]?) -> [Entity] { parts ?? [] }
  /// Takes those of an `if`.
  public static func buildEither(first parts: [Entity]) -> [Entity] { parts }
  /// Takes those of an `else`.
  public static func buildEither(second parts: [Entity]) -> [Entity] { parts }
}

/// The result builder of ``Entity``, with loops and conditions.
@resultBuilder
public enum EntityBuilder {
  /// Takes one.
  public static func buildExpression(_ part: any EntityMember) -> [any EntityMember] { [part] }
  /// Takes those that were made elsewhere.
  public static func buildExpression(_ parts: [any EntityMember]) -> [any EntityMember] { parts }
  /// Collects those of a block.
  public static func buildBlock(_ parts: [any EntityMember]...) -> [any EntityMember] {
    parts.flatMap(\.self)
  }
  /// Collects those of a loop.
  public static func buildArray(_ parts: [[any EntityMember]]) -> [any EntityMember] {
    parts.flatMap(\.self)
  }
  /// Takes those of an `if` without `else`.
  public static func buildOptional(_ parts: [any EntityMember]?) -> [any EntityMember] {
    parts ?? []
  }
  /// Takes those of an `if`.
  public static func buildEither(first parts: [any EntityMember]) -> [any EntityMember] { parts }
  /// Takes those of an `else`.
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

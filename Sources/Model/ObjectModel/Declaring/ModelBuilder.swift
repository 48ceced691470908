/// The result builder of ``ManagedObjectModel/init(_:)`` and ``Entity``, with loops and conditions.
@resultBuilder
public enum ModelBuilder<Part> {
  /// Accepts a part as a statement.
  public static func buildExpression(_ part: Part) -> [Part] { [part] }
  /// Accepts an array of parts as a statement.
  public static func buildExpression(_ parts: [Part]) -> [Part] { parts }
  /// Joins the parts of a block.
  public static func buildBlock(_ parts: [Part]...) -> [Part] { parts.flatMap(\.self) }
  /// Joins the parts of a loop.
  public static func buildArray(_ parts: [[Part]]) -> [Part] { parts.flatMap(\.self) }
  /// The parts of an `if` without `else`.
  public static func buildOptional(_ parts: [Part]?) -> [Part] { parts ?? [] }
  /// The parts of the first branch of an `if`.
  public static func buildEither(first parts: [Part]) -> [Part] { parts }
  /// The parts of an `else`.
  public static func buildEither(second parts: [Part]) -> [Part] { parts }
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
  public init(@ModelBuilder<Entity> _ entities: () -> [Entity]) {
    let written = entities()
    let byName = Dictionary(firstOf: written.map { ($0.name, $0) })
    var details = ModelDetails()
    for entity in written {
      details.fetchRequestTemplates.merge(entity.fetchRequestTemplates) { first, _ in first }
    }
    self.init(entities: written.map { $0.description(among: byName) }, details: details)
  }
}

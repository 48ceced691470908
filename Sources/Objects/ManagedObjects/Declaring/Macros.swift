#if Macros
  public import ObjectModel

  /// Declares the entity of a class by the stored properties of its objects.
  ///
  ///     @Managed final class Person: ManagedObject {
  ///       @Unique var username: String
  ///       var name: String?
  ///       @ToMany(inverse: \DVD.owner, .cascade) var dvds: Set<DVD>
  ///     }
  ///
  ///     @Managed final class DVD: ManagedObject {
  ///       var title: String
  ///       var copies: Int = 1
  ///       @ToOne(isOptional: false) var owner: Person?
  ///     }
  ///
  /// It writes a typed key for each property, ``EntityClass/properties``, and accessors that read
  /// and set the value in the context. An optional object is a to-one relationship, a set of
  /// objects a to-many one, an array an ordered one, all else an attribute; an initial value is the
  /// default value. Computed and static properties are left alone.
  ///
  /// It is part of the package trait `Macros`. A file that uses it imports ObjectModel too. In a
  /// module that belongs to the main actor by default the class is marked `nonisolated`.
  ///
  /// - Parameters:
  ///   - entity: The name of the entity; nil for that of the class.
  ///   - isAbstract: Whether only its sub-entities have objects.
  ///   - unique: The names of properties whose combined values are unique, for each constraint.
  ///   - indexes: The names of properties, for each index of several.
  ///   - renamingIdentifier: The name in an earlier version of the model; nil if it is the same.
  ///   - userInfo: The user info dictionary.
  @attached(member, conformances: EntityClass, names: arbitrary)
  @attached(memberAttribute)
  @attached(extension, conformances: EntityClass)
  public macro Managed(
    entity: String? = nil, isAbstract: Bool = false, unique: [[String]] = [],
    indexes: [[String]] = [], renamingIdentifier: String? = nil, userInfo: [String: String] = [:]
  ) = #externalMacro(module: "ManagedMacros", type: "ManagedMacro")

  /// The accessors of a property; `@Managed` adds it.
  @attached(accessor)
  public macro ManagedProperty() =
    #externalMacro(module: "ManagedMacros", type: "ManagedPropertyMacro")

  /// Says more about an attribute.
  ///
  /// - Parameters:
  ///   - encoding: How values are stored; nil for the default encoding of the type.
  ///   - renamingIdentifier: The name in an earlier version of the model; nil if it is the same.
  ///   - userInfo: The user info dictionary.
  @attached(peer)
  public macro Attribute(
    encoding: ValueEncoding? = nil, renamingIdentifier: String? = nil,
    userInfo: [String: String] = [:]
  ) = #externalMacro(module: "ManagedMacros", type: "MarkerMacro")

  /// Lets no two objects have the same value.
  @attached(peer)
  public macro Unique() = #externalMacro(module: "ManagedMacros", type: "MarkerMacro")

  /// Makes an index, by which the store finds and orders objects.
  @attached(peer)
  public macro Indexed() = #externalMacro(module: "ManagedMacros", type: "MarkerMacro")

  /// Lets the store compute an attribute, which is read-only.
  ///
  /// - Parameter expression: What is computed, such as `dvds.@count` or `owner.name`.
  @attached(peer)
  public macro Derived(_ expression: String) =
    #externalMacro(module: "ManagedMacros", type: "MarkerMacro")

  /// Keeps a property out of the store: its value is in the object, as long as that is in memory.
  ///
  /// The model mentions it as a transient attribute if it has the type of one; it may be lazy or
  /// computed.
  @attached(peer)
  public macro Transient() = #externalMacro(module: "ManagedMacros", type: "MarkerMacro")

  /// Says more about a to-one relationship.
  ///
  /// - Parameters:
  ///   - deleteRule: What happens to the destination when the object is deleted.
  ///   - isOptional: Whether it may be nil when it is saved.
  ///   - renamingIdentifier: The name in an earlier version of the model; nil if it is the same.
  ///   - userInfo: The user info dictionary.
  @attached(peer)
  public macro ToOne(
    _ deleteRule: DeleteRule = .nullify, isOptional: Bool = true,
    renamingIdentifier: String? = nil, userInfo: [String: String] = [:]
  ) = #externalMacro(module: "ManagedMacros", type: "MarkerMacro")

  /// Says more about a to-one relationship, and names its inverse; one side is enough.
  ///
  /// - Parameters:
  ///   - inverse: The property of the destination, as in `\Person.dvds`.
  ///   - deleteRule: What happens to the destination when the object is deleted.
  ///   - isOptional: Whether it may be nil when it is saved.
  ///   - renamingIdentifier: The name in an earlier version of the model; nil if it is the same.
  ///   - userInfo: The user info dictionary.
  @attached(peer)
  public macro ToOne<Destination: ManagedObject, Sources: RelationshipValue>(
    inverse: KeyPath<Destination, Sources>, _ deleteRule: DeleteRule = .nullify,
    isOptional: Bool = true, renamingIdentifier: String? = nil, userInfo: [String: String] = [:]
  ) = #externalMacro(module: "ManagedMacros", type: "MarkerMacro")

  /// Says more about a to-many relationship.
  ///
  /// - Parameters:
  ///   - deleteRule: What happens to the destinations when the object is deleted.
  ///   - minCount: The least number of objects; 0 for none.
  ///   - maxCount: The greatest number of objects; 0 for none.
  ///   - renamingIdentifier: The name in an earlier version of the model; nil if it is the same.
  ///   - userInfo: The user info dictionary.
  @attached(peer)
  public macro ToMany(
    _ deleteRule: DeleteRule = .nullify, minCount: Int = 0, maxCount: Int = 0,
    renamingIdentifier: String? = nil, userInfo: [String: String] = [:]
  ) = #externalMacro(module: "ManagedMacros", type: "MarkerMacro")

  /// Says more about a to-many relationship, and names its inverse; one side is enough.
  ///
  /// - Parameters:
  ///   - inverse: The property of the destinations, as in `\DVD.owner`.
  ///   - deleteRule: What happens to the destinations when the object is deleted.
  ///   - minCount: The least number of objects; 0 for none.
  ///   - maxCount: The greatest number of objects; 0 for none.
  ///   - renamingIdentifier: The name in an earlier version of the model; nil if it is the same.
  ///   - userInfo: The user info dictionary.
  @attached(peer)
  public macro ToMany<Destination: ManagedObject, Sources: RelationshipValue>(
    inverse: KeyPath<Destination, Sources>, _ deleteRule: DeleteRule = .nullify,
    minCount: Int = 0, maxCount: Int = 0, renamingIdentifier: String? = nil,
    userInfo: [String: String] = [:]
  ) = #externalMacro(module: "ManagedMacros", type: "MarkerMacro")

  /// A property of a class that is no part of its entity.
  public struct UnmodeledProperty: EntityMember {
    /// Adds nothing.
    public func add(to entity: inout Entity) {}
  }

  /// Makes the keys that the expansion of `@Managed` declares: only the compiler knows whether a
  /// type is that of an attribute or of a relationship.
  public enum ManagedKey<Object: ManagedObject> {
    /// Makes the key of an attribute.
    public static func key<Content: AttributeValue>(
      _ name: String, _ type: Content.Type
    ) -> AttributeKey<Object, Content> { AttributeKey(name) }

    /// Makes the key of a relationship.
    public static func key<Destinations: RelationshipValue>(
      _ name: String, _ type: Destinations.Type
    ) -> RelationshipKey<Object, Destinations> { RelationshipKey(name) }

    /// Makes the transient attribute of a property with `@Transient`.
    public static func transient<Content: AttributeValue>(
      _ name: String, _ type: Content.Type
    ) -> ObjectModel.Attribute {
      ObjectModel.Attribute(
        name, Content.attributeType, isOptional: Content.acceptsNull, isTransient: true)
    }

    /// Makes nothing of a property with `@Transient` whose type is that of no attribute.
    public static func transient<Other>(_ name: String, _ type: Other.Type) -> UnmodeledProperty {
      UnmodeledProperty()
    }

    /// Explains that a type is that of no property.
    @available(
      *, unavailable,
      message: """
        A managed property is an attribute (String, Int, Date, … or an enum that is an \
        AttributeValue), an optional object, or a set or array of objects. Mark what is not stored \
        as @Transient.
        """
    )
    public static func key<Other>(_ name: String, _ type: Other.Type) -> AttributeKey<Object, Value>
    { AttributeKey(name) }
  }
#endif

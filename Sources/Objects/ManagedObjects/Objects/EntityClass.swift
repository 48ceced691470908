public import ObjectModel
import Synchronization

/// A managed object subclass for one entity.
///
/// `cardfile generate` writes such classes for a model file. A class can also declare its entity
/// itself, with keys that have their name and type already:
///
///     final class Person: ManagedObject, EntityClass {
///       static let username = AttributeKey<Person, String>("username")
///       static let name = AttributeKey<Person, String?>("name")
///       static let dvds = RelationshipKey<Person, Set<DVD>>("dvds")
///       static let properties: Properties = [
///         Attribute(username, isUnique: true), name,
///         ToMany(dvds, inverse: DVD.owner, deleteRule: .cascade),
///       ]
///     }
///
/// `try ManagedObjectModel(Person.self, DVD.self)` is the model then.
///
/// A subclass, for a subentity, overrides the entity name if the class has one of its own, and the
/// properties with those that it adds.
public protocol EntityClass: ManagedObject {
  /// The class that declares the conformance: subclasses share its keys.
  associatedtype KeyOwner: ManagedObject = Self

  /// What an entity consists of: keys; an `Attribute`, `ToOne` or `ToMany` with a key and options;
  /// `Unique`, `FetchIndex` and `EntityOptions`.
  typealias Properties = [any EntityMember]

  /// The name of the entity; that of the class by default.
  static var entityName: String { get }

  /// What the entity consists of, for a model that is made of classes; empty if the model comes
  /// from somewhere else.
  ///
  /// An attribute is required unless its key's type is an optional. A relationship without an
  /// inverse has the one that names it.
  static var properties: Properties { get }

  /// The attribute that identifies an object to the outside; "objectId" by default.
  static var uniqueIdentifier: String { get }

  /// Whether new objects get an identifier by themselves; true by default.
  ///
  /// If not, a dictionary must have one, and updates the object that has it.
  static var shouldAutoGenerateGloballyUniqueIdentifiers: Bool { get }
}

extension EntityClass {
  /// The name of the class.
  @_disfavoredOverload  // Many programs have a helper of this name.
  public static var entityName: String { String(describing: Self.self) }

  /// Empty: the model comes from somewhere else.
  public static var properties: Properties { [] }

  /// A fetch request for all objects of the entity and its subentities.
  ///
  /// Objects of a subentity without a class of its own are instances of this one.
  @_disfavoredOverload  // CoreDataNames has it with Core Data's type.
  public static func fetchRequest() -> FetchRequest<Self> { FetchRequest(entityName: entityName) }

  /// Inserts a new object with the default values of its entity.
  ///
  /// - Parameter context: The context.
  /// - Returns: The object.
  /// - Throws: ``ManagedObjectError`` if the entity is unknown, abstract or read-only, or a
  ///   different class is registered for it.
  public static func insert(into context: ManagedObjectContext) throws -> Self {
    context.registerIfNeeded(Self.self, forEntity: entityName)
    return try context.insert(entityName: entityName).typed(doing: "inserting")
  }
}

extension ManagedObjectContext {
  /// Registers the classes of entities; objects that are created from now on are instances of them.
  ///
  /// - Parameter types: The classes. `cardfile generate` writes a list of those it generates.
  package func register(_ types: [any EntityClass.Type]) {
    for type in types { register(type, forEntity: type.entityName) }
  }
}

/// The entities of the classes that coordinators were given, for what asks a class and not a context.
package enum EntityClasses {
  private static let entities = Mutex<[ObjectIdentifier: EntityDescription]>([:])

  /// Notes the entities of classes; a model that is used later is the one that counts.
  static func note(_ types: [any EntityClass.Type], in model: ManagedObjectModel) {
    guard !types.isEmpty else { return }
    entities.withLock { entities in
      for type in types {
        entities[ObjectIdentifier(type)] = model.entity(named: type.entityName)
      }
    }
  }

  /// The entity of a class; nil if no coordinator was given it.
  package static func entity(of type: ManagedObject.Type) -> EntityDescription? {
    entities.withLock { $0[ObjectIdentifier(type)] }
  }
}

@_exported public import class CoreDataPredicates.NSPredicate
public import Foundation
import ManagedObjects
public import ObjectModel

/// What to fetch: a `FetchRequest` as a class, because ordinary code sets its properties after
/// `let request = …`.
///
/// Its properties are those of ``NSFetchRequestSettings``. There are no fetches in the background: a
/// results controller does that.
@dynamicMemberLookup
public final class NSFetchRequest<ResultType> {
  /// What the properties are stored in, whatever the type of the results.
  let settings: NSFetchRequestSettings

  /// Makes a request without an entity: set `entity`.
  public convenience init() { self.init(NSFetchRequestSettings()) }

  /// Makes a request.
  ///
  /// - Parameter entityName: The entity.
  public convenience init(entityName: String) {
    self.init(NSFetchRequestSettings(entityName: entityName))
  }

  init(_ settings: NSFetchRequestSettings) { self.settings = settings }

  /// A property of the request.
  public subscript<Property>(
    dynamicMember property: ReferenceWritableKeyPath<NSFetchRequestSettings, Property>
  ) -> Property {
    get { settings[keyPath: property] }
    set { settings[keyPath: property] = newValue }
  }

  /// The name of the entity; nil until `entity` is set if the request was made without one.
  public var entityName: String? { settings.entityName }
}

@available(*, unavailable, message: "It is mutable. Make one in the other domain.")
extension NSFetchRequest: Sendable {}

/// The properties of an ``NSFetchRequest``.
public final class NSFetchRequestSettings {
  private(set) var entityName: String?

  /// The entity, if it was set; a request that was made by name does not look it up.
  public var entity: NSEntityDescription? { didSet { entityName = entity?.name } }

  /// The condition, made by `NSPredicate(format:)` or compound; nil for all objects.
  public var predicate: NSPredicate?

  /// The order, by `NSSortDescriptor(key:ascending:)`; nil or empty for the store's own.
  public var sortDescriptors: [NSSortDescriptor]?

  /// The greatest number of results; 0 for no limit.
  public var fetchLimit = 0

  /// How many results to skip at the start.
  public var fetchOffset = 0

  /// How many rows are read at once when a fault of the results is fired; 0 for 1,000.
  public var fetchBatchSize = 0

  /// Whether objects of subentities are included.
  public var includesSubentities = true

  /// Whether unsaved changes are included.
  public var includesPendingChanges = true

  /// Whether rows are read when they are first used; false reads all of them at once.
  public var returnsObjectsAsFaults = true

  /// The key paths of relationships whose objects are read with those that are fetched.
  public var relationshipKeyPathsForPrefetching: [String]?

  /// What the request returns.
  public var resultType = NSFetchRequestResultType.managedObjectResultType

  /// The attributes and to-one relationships of dictionaries, also through to-one relationships:
  /// key paths or descriptions; nil for all attributes, or for all that are grouped by.
  ///
  /// The value of a relationship is the `NSManagedObjectID` of its object, and that of `objectID`
  /// the one of the object itself. An ``NSExpressionDescription`` among them is computed from the
  /// objects of a group, or of all objects if nothing is grouped by.
  public var propertiesToFetch: [Any]?

  /// The attributes and to-one relationships whose values the objects of a group have in common;
  /// nil for no groups.
  ///
  /// They are given as in `propertiesToFetch`, and need `.dictionaryResultType`.
  public var propertiesToGroupBy: [Any]?

  /// Which groups are returned; nil for all groups.
  ///
  /// It is a condition on `propertiesToGroupBy` and on expressions, as `$name`.
  public var havingPredicate: NSPredicate?

  /// Whether equal dictionaries are returned once.
  public var returnsDistinctResults = false

  init(entityName: String? = nil) { self.entityName = entityName }
}

extension NSFetchRequestSettings {
  /// The request as a value, as it is now.
  ///
  /// - Throws: `ManagedObjectError` if it has no entity, or its predicate or order cannot be
  ///   translated.
  func value() throws -> FetchRequest<ManagedObject> {
    guard let entityName else {
      throw ManagedObjectError(
        .unknownEntity, doing: "fetching", detail: "the request has no entity",
        remedy: "make it with NSFetchRequest(entityName:), or set entity")
    }
    var request = FetchRequest<ManagedObject>(
      entityName: entityName, predicate: try predicate.map(FetchPredicate.init),
      sortDescriptors: try (sortDescriptors ?? []).map(FetchSortDescriptor.init))
    request.fetchLimit = fetchLimit
    request.fetchOffset = fetchOffset
    request.fetchBatchSize = fetchBatchSize
    request.includesSubentities = includesSubentities
    request.includesPendingChanges = includesPendingChanges
    request.relationshipKeyPathsForPrefetching = relationshipKeyPathsForPrefetching ?? []
    return request
  }

  /// The dictionaries of the request, without null values.
  ///
  /// - Throws: As `ManagedObjectContext.fetchDictionaries`.
  func dictionaries(_ request: FetchRequest<ManagedObject>, in context: ManagedObjectContext) throws
    -> [NSDictionary]
  {
    var expressions: [ExpressionDescription] = []
    // The names of properties that an expression stands for.
    var aliases: [(name: String, keyPath: String)] = []
    for case let description as NSExpressionDescription in propertiesToFetch ?? [] {
      switch try description.meaning(in: entityName ?? "") {
      case .computed(let expression): expressions.append(expression)
      case .property(let keyPath): aliases.append((description.name, keyPath))
      }
    }
    let plain = try propertiesToFetch.map { properties in
      try self.names(of: properties.filter { !($0 is NSExpressionDescription) })
    }
    let names = plain.map { $0 + aliases.map(\.keyPath).filter { !(plain ?? []).contains($0) } }
    let groups = try self.names(of: propertiesToGroupBy ?? [])
    let rows = try context.fetchDictionaries(
      request, propertiesToFetch: names, expressions: expressions, propertiesToGroupBy: groups,
      havingPredicate: try havingPredicate.map(FetchPredicate.init),
      returnsDistinctResults: returnsDistinctResults)
    guard let entity = context.model.entity(named: request.entityName) else { return [] }
    let objects = try Set((names ?? []) + groups).filter {
      try context.propertyPath($0, of: entity).isRelationship
    }
    return rows.map { row in
      var values = row.compactMapValues(\.any)
      for name in objects {
        guard case .string(let uri)? = row[name] else { continue }
        values[name] = ObjectID(uriRepresentation: uri)
      }
      let named = aliases.map { ($0.name, values[$0.keyPath]) }
      for alias in aliases where plain?.contains(alias.keyPath) == false {
        values[alias.keyPath] = nil
      }
      for (name, value) in named { values[name] = value }
      return NSDictionary(dictionary: values)
    }
  }

  /// Refuses groups in results that are no dictionaries.
  func checkGroups() throws {
    guard resultType != .dictionaryResultType else { return }
    let name =
      propertiesToGroupBy?.isEmpty == false
      ? "propertiesToGroupBy" : havingPredicate == nil ? nil : "havingPredicate"
    guard let name else { return }
    throw ManagedObjectError(
      .unsupported, doing: "fetching", subject: entityName ?? "",
      detail: "the request has a \(name), but its results are no dictionaries",
      remedy: "set resultType to .dictionaryResultType")
  }

  private func names(of properties: [Any]) throws -> [String] {
    try properties.map { property in
      switch property {
      case let name as String: return name
      case let attribute as AttributeDescription: return KeyPathText.text([attribute.name])
      case let relationship as RelationshipDescription:
        return KeyPathText.text([relationship.name])
      default:
        throw ManagedObjectError(
          .unsupported, doing: "fetching dictionaries", subject: entityName ?? "",
          detail: "a property to fetch or to group by is a \(type(of: property))",
          remedy: "give the name of a property, or an NSExpressionDescription to fetch")
      }
    }
  }
}

extension NSFetchRequest {
  /// A result as the type of the request's results.
  ///
  /// - Throws: `ManagedObjectError` if it is of another class.
  func typed(_ result: Any) throws -> ResultType {
    if let result = result as? ResultType { return result }
    throw ManagedObjectError(
      .wrongType, doing: "fetching", subject: entityName ?? "",
      detail: "a result is a \(type(of: result)), not a \(ResultType.self)",
      remedy: "register the class before objects of the entity are made, or set resultType")
  }
}

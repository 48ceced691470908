import ManagedObjects
import ObjectModel
import TestSupport
import Testing

@testable import FetchedResults

/// People in cities, in memory or in a file.
struct People {
  static let model = makeModel(keyAttributes: ["id"])
  /// The model for a file, whose rows get their keys from the store.
  static let modelWithoutKey = makeModel(keyAttributes: [])

  private static func makeModel(keyAttributes: [String]) -> ManagedObjectModel {
    ManagedObjectModel(entities: [
      EntityDescription(
        name: "Person",
        attributes: keyAttributes.map { AttributeDescription($0, .integer64, isOptional: false) }
          + [
            AttributeDescription("name", .string), AttributeDescription("age", .integer64),
            AttributeDescription("note", .string),
          ],
        relationships: [RelationshipDescription("city", to: "City", inverse: "people")],
        keyAttributes: keyAttributes),
      EntityDescription(
        name: "City",
        attributes: [
          AttributeDescription("name", .string), AttributeDescription("size", .integer64),
        ],
        relationships: [
          RelationshipDescription("people", to: "Person", inverse: "city", isToMany: true)
        ]),
    ])
  }

  let store: InstrumentedStore
  let coordinator: PersistentStoreCoordinator
  let context: ManagedObjectContext

  /// Inserts and saves people with the given names.
  init(_ names: String = "") throws {
    try self.init(names, in: InMemoryStore(model: Self.model, identifier: "S"))
  }

  /// Inserts and saves people with the given names in a store.
  init(_ names: String = "", in base: any PersistentStore) throws {
    store = InstrumentedStore(base)
    coordinator = PersistentStoreCoordinator(store: store)
    context = ManagedObjectContext(coordinator: coordinator)
    for name in names.split(separator: " ") { try addPerson(.string(String(name))) }
    try context.save()
  }

  /// The same people in a context and a coordinator of their own, as in another process.
  init(of other: People) {
    store = other.store
    coordinator = PersistentStoreCoordinator(store: store)
    context = ManagedObjectContext(coordinator: coordinator)
  }

  /// The person with a name.
  func person(_ name: String) throws -> ManagedObject {
    try context.fetch(request(.key("name", .equal, .string(name))))[0]
  }

  /// The person with a name, found without a fetch.
  func person(_ name: String, in controller: FetchedResultsController<ManagedObject>) throws
    -> ManagedObject
  {
    try #require(controller.fetchedObjects?.first { $0["name"] == .string(name) })
  }

  /// A context that acts as another process: `context` is not notified of its saves.
  func stranger() -> ManagedObjectContext {
    ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
  }

  @discardableResult
  func addPerson(_ name: Value, age: Value = .null, in city: ManagedObject? = nil) throws
    -> ManagedObject
  {
    let person = try context.insert(entityName: "Person")
    person["name"] = name
    person["age"] = age
    try person.setObject(city, forKey: "city")
    return person
  }

  func addCity(_ name: Value, size: Value = .null) throws -> ManagedObject {
    let city = try context.insert(entityName: "City")
    city["name"] = name
    city["size"] = size
    return city
  }

  func request(
    _ predicate: FetchPredicate? = nil,
    by sortDescriptors: [FetchSortDescriptor] = [FetchSortDescriptor("name")]
  ) -> FetchRequest<ManagedObject> {
    FetchRequest(entityName: "Person", predicate: predicate, sortDescriptors: sortDescriptors)
  }

  func controller(
    _ predicate: FetchPredicate? = nil,
    by sortDescriptors: [FetchSortDescriptor] = [FetchSortDescriptor("name")],
    sections: String? = nil
  ) -> FetchedResultsController<ManagedObject> {
    FetchedResultsController(
      fetchRequest: request(predicate, by: sortDescriptors), context: context,
      sectionNameKeyPath: sections)
  }
}

extension FetchPredicate {
  /// A key path compared with a number or text.
  static func key(_ path: String, _ operation: Operator, _ value: Value) -> FetchPredicate {
    FetchPredicate(
      .comparison(
        Comparison(
          .keyPath(path.split(separator: ".").map(String.init)), operation, .constant(value))))
  }
}

/// Names by section, as "A: Anna, Ádám | B: Bo"; without sections the names only.
func picture(_ controller: FetchedResultsController<ManagedObject>) -> String {
  guard let sections = controller.sections else { return "-" }
  return sections.map { section in
    let names = section.objects.map { $0["name"].description }.joined(separator: ", ")
    return controller.sectionKey == nil ? names : "\(section.name): \(names)"
  }.joined(separator: " | ")
}

/// Records what a controller reports.
final class Recorder: FetchedResultsControllerDelegate {
  private(set) var events: [String] = []
  private(set) var changes: [ResultsChange] = []
  private(set) var errors: [any Error] = []
  var onWillChange: () -> Void = {}
  var onDidChange: (ResultsChange) -> Void = { _ in }
  var indexTitle: (String) -> String? = { SectionIndex.title(forSectionName: $0) }

  func controllerWillChangeContent(_ controller: FetchedResultsController<ManagedObject>) {
    events.append("will \(controller.count)")
    onWillChange()
  }

  func controller(
    _ controller: FetchedResultsController<ManagedObject>, didChangeContent change: ResultsChange
  ) {
    events.append("did \(controller.count)")
    changes.append(change)
    onDidChange(change)
  }

  func controller(
    _ controller: FetchedResultsController<ManagedObject>, didFailWith error: any Error
  ) {
    events.append("failed")
    errors.append(error)
  }

  func controller(
    _ controller: FetchedResultsController<ManagedObject>,
    sectionIndexTitleForSectionName name: String
  ) -> String? { indexTitle(name) }

  func forget() {
    events = []
    changes = []
  }
}

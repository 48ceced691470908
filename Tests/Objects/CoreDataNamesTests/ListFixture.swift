import CoreDataNames

/// A list of items in sections by city, in memory, whose delegate notes each call.
final class ListFixture: NSFetchedResultsControllerDelegate {
  let container: NSPersistentContainer
  let controller: NSFetchedResultsController<NSManagedObject>
  /// The calls, one a line.
  private(set) var calls: [String] = []
  /// The titles by section, as the controller had them when it called `controllerWillChangeContent`.
  private(set) var before: [[String]] = []
  /// The sections without a title in the index strip.
  var untitled: Set<String> = []
  /// Whether each call was passed a controller that is equal to this one.
  private(set) var isSameController = true

  static let model = NSManagedObjectModel {
    Entity("Item") {
      Attribute("title", .string)
      Attribute("city", .string)
      Attribute("note", .string)
    }
  }

  var context: NSManagedObjectContext { container.viewContext }

  init(_ sections: [(city: String, titles: [String])], isSectioned: Bool = true) throws {
    container = NSPersistentContainer(name: "items", managedObjectModel: Self.model)
    container.persistentStoreDescriptions[0].type = NSInMemoryStoreType
    try container.load()
    let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
    request.sortDescriptors =
      (isSectioned ? [NSSortDescriptor(key: "city", ascending: true)] : [])
      + [NSSortDescriptor(key: "title", ascending: true)]
    controller = NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: container.viewContext,
      sectionNameKeyPath: isSectioned ? "city" : nil, cacheName: nil)
    controller.delegate = self
    for section in sections {
      for title in section.titles { insert(title, section.city) }
    }
    try context.save()
    try controller.performFetch()
  }

  /// What the delegate was called with while changes are made and processed.
  func calls(of change: () throws -> Void) rethrows -> [String] {
    calls = []
    try change()
    context.processPendingChanges()
    return calls
  }

  @discardableResult
  func insert(_ title: String, _ city: String) -> NSManagedObject {
    let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
    item.setValue(title, forKey: "title")
    item.setValue(city, forKey: "city")
    return item
  }

  /// The item with a title.
  func item(_ title: String) throws -> NSManagedObject {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
    request.predicate = NSPredicate(format: "title == %@", title)
    return try context.fetch(request)[0]
  }

  /// The titles by section.
  var titles: [[String]] {
    (controller.sections ?? []).map { section in (section.objects ?? []).map(Self.title) }
  }

  private static func title(_ object: Any) -> String {
    (object as? NSManagedObject)?.value(forKey: "title") as? String ?? "?"
  }

  private func text(_ path: IndexPath?) -> String {
    path.map { "\($0.section).\($0.row)" } ?? "nil"
  }

  // MARK: The delegate

  private func note(
    _ call: String, _ controller: NSFetchedResultsController<NSFetchRequestResult>
  ) {
    calls.append(call)
    isSameController = isSameController && controller == self.controller
    isSameController = isSameController && controller === self.controller
  }

  func controllerWillChangeContent(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>
  ) {
    note("will change", controller)
    before = titles
  }

  func controller(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>,
    didChange sectionInfo: NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
    for type: NSFetchedResultsChangeType
  ) {
    note("\(type) section \(sectionIndex) \(sectionInfo.name)", controller)
  }

  func controller(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange anObject: Any,
    at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
  ) {
    note("\(type) \(Self.title(anObject)) \(text(indexPath)) \(text(newIndexPath))", controller)
  }

  func controllerDidChangeContent(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>
  ) {
    note("did change", controller)
  }

  func controller(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>,
    sectionIndexTitleForSectionName sectionName: String
  ) -> String? {
    untitled.contains(sectionName) ? nil : String(sectionName.prefix(2))
  }
}

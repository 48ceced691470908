// Core Data: import CoreData
import CoreDataNames
import Foundation

// The application of a Core Data tutorial: people and their DVDs. Where a line was changed, the
// comment before it, which begins with “Core Data:”, has the original.

class CoreDataStack {
  let persistentContainer: NSPersistentContainer

  init(inMemory: Bool = false, url: URL? = nil) {
    // Core Data: let container = NSPersistentContainer(name: "DVDs")
    let container = NSPersistentContainer(name: "DVDs", entityClasses: MOEntityClasses.all)
    if inMemory {
      container.persistentStoreDescriptions.first!.url = URL(fileURLWithPath: "/dev/null")
    } else if let url {
      container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
    }
    container.loadPersistentStores(completionHandler: { (storeDescription, error) in
      if let error = error as NSError? {
        fatalError("Unresolved error \(error), \(error.userInfo)")
      }
    })
    container.viewContext.automaticallyMergesChangesFromParent = true
    container.viewContext.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
    // Core Data: container.viewContext.undoManager = UndoManager()
    persistentContainer = container
  }

  var viewContext: NSManagedObjectContext { persistentContainer.viewContext }

  func saveContext() {
    let context = persistentContainer.viewContext
    if context.hasChanges {
      do {
        try context.save()
      } catch {
        let nserror = error as NSError
        fatalError("Unresolved error \(nserror), \(nserror.userInfo)")
      }
    }
  }

  func importTitles(_ titles: [String], forOwner ownerID: NSManagedObjectID) async throws -> Int {
    try await persistentContainer.performBackgroundTask { context in
      guard let owner = try context.existingObject(with: ownerID) as? Person else { return 0 }
      for title in titles {
        let dvd = DVD(context: context)
        dvd.title = title
        dvd.owner = owner
      }
      try context.save()
      return titles.count
    }
  }
}

extension Person {
  // sample
  static func find(username: String, in context: NSManagedObjectContext) -> Person? {
    let fetchRequest: NSFetchRequest<Person> = Person.fetchRequest()
    fetchRequest.predicate = NSPredicate(format: "username ==[c] %@", username)
    fetchRequest.fetchLimit = 1
    do {
      return try context.fetch(fetchRequest).first
    } catch let error as NSError {
      print("Could not fetch. \(error), \(error.userInfo)")
      return nil
    }
  }
  // end of sample

  static func register(
    username: String, name: String? = nil, in context: NSManagedObjectContext
  ) -> Person {
    if let person = find(username: username, in: context) { return person }
    let person = Person(context: context)
    person.username = username
    person.name = name
    return person
  }

  static func usernames(in context: NSManagedObjectContext) throws -> [String] {
    let fetchRequest = NSFetchRequest<NSDictionary>(entityName: "Person")
    fetchRequest.resultType = .dictionaryResultType
    fetchRequest.propertiesToFetch = ["username"]
    fetchRequest.returnsDistinctResults = true
    fetchRequest.sortDescriptors = [NSSortDescriptor(key: "username", ascending: true)]
    return try context.fetch(fetchRequest).compactMap { $0["username"] as? String }
  }
}

extension DVD {
  static func insert(
    title: String, purchaseDate: Date? = nil, owner: Person, in context: NSManagedObjectContext
  ) -> DVD {
    let dvd = NSEntityDescription.insertNewObject(forEntityName: "DVD", into: context) as! DVD
    dvd.title = title
    dvd.setValue(purchaseDate, forKey: "purchaseDate")
    dvd.owner = owner
    return dvd
  }

  static func count(ofOwner username: String, in context: NSManagedObjectContext) -> Int {
    let fetchRequest = NSFetchRequest<NSFetchRequestResult>(entityName: "DVD")
    fetchRequest.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [
      NSPredicate(format: "owner.username == %@", username),
      NSPredicate(format: "%K != %@", "title", ""),
    ])
    return (try? context.count(for: fetchRequest)) ?? 0
  }

  static func boughtLately(
    since date: Date, minimumRating: Int, in context: NSManagedObjectContext
  ) throws -> [DVD] {
    let fetchRequest: NSFetchRequest<DVD> = DVD.fetchRequest()
    fetchRequest.predicate = NSPredicate(
      format: "purchaseDate >= %@ AND rating >= %d", date as NSDate, minimumRating)
    fetchRequest.sortDescriptors = [
      NSSortDescriptor(key: "purchaseDate", ascending: false),
      NSSortDescriptor(key: "title", ascending: true),
    ]
    fetchRequest.relationshipKeyPathsForPrefetching = ["owner"]
    fetchRequest.returnsObjectsAsFaults = false
    return try context.fetch(fetchRequest)
  }
}

class DVDListController: NSObject, NSFetchedResultsControllerDelegate {
  let tableView = TableView()
  let person: Person
  let managedObjectContext: NSManagedObjectContext

  init(person: Person, managedObjectContext: NSManagedObjectContext) {
    self.person = person
    self.managedObjectContext = managedObjectContext
    super.init()
  }

  lazy var fetchedResultsController: NSFetchedResultsController<DVD> = {
    let fetchRequest: NSFetchRequest<DVD> = DVD.fetchRequest()
    fetchRequest.predicate = NSPredicate(format: "owner == %@", person)
    let sortDescriptor = NSSortDescriptor(
      key: "title", ascending: true,
      // Core Data: selector: #selector(NSString.localizedCaseInsensitiveCompare(_:)))
      selector: .localizedCaseInsensitiveCompare)
    fetchRequest.sortDescriptors = [sortDescriptor]
    fetchRequest.fetchBatchSize = 20
    let controller = NSFetchedResultsController(
      fetchRequest: fetchRequest, managedObjectContext: managedObjectContext,
      sectionNameKeyPath: nil, cacheName: "DVDs")
    controller.delegate = self
    return controller
  }()

  func viewDidLoad() {
    tableView.source = { [unowned self] in
      (0..<numberOfSections).map { section in
        (0..<numberOfRows(inSection: section)).map {
          text(at: IndexPath(row: $0, section: section))
        }
      }
    }
    do {
      try fetchedResultsController.performFetch()
    } catch {
      print("Fetch failed: \(error.localizedDescription)")
    }
    tableView.reloadData()
  }

  func search(_ text: String) throws {
    var predicates = [NSPredicate(format: "owner == %@", person)]
    if !text.isEmpty {
      predicates.append(NSPredicate(format: "title CONTAINS[cd] %@", text))
    }
    fetchedResultsController.fetchRequest.predicate =
      NSCompoundPredicate(andPredicateWithSubpredicates: predicates)
    try fetchedResultsController.performFetch()
    tableView.reloadData()
  }

  func addDVD(title: String, purchaseDate: Date? = nil) {
    managedObjectContext.undoManager?.beginUndoGrouping()
    _ = DVD.insert(
      title: title, purchaseDate: purchaseDate, owner: person, in: managedObjectContext)
    managedObjectContext.undoManager?.setActionName("Add DVD")
    managedObjectContext.undoManager?.endUndoGrouping()
  }

  func deleteDVD(at indexPath: IndexPath) {
    managedObjectContext.delete(fetchedResultsController.object(at: indexPath))
  }

  // MARK: The data source

  var numberOfSections: Int { fetchedResultsController.sections?.count ?? 0 }

  func numberOfRows(inSection section: Int) -> Int {
    guard let sectionInfo = fetchedResultsController.sections?[section] else { return 0 }
    return sectionInfo.numberOfObjects
  }

  func text(at indexPath: IndexPath) -> String {
    text(of: fetchedResultsController.object(at: indexPath))
  }

  func text(of dvd: DVD) -> String {
    let stars = String(repeating: "*", count: Int(dvd.rating))
    return dvd.rating == 0 ? dvd.title : "\(dvd.title) \(stars)"
  }

  // MARK: The delegate

  func controllerWillChangeContent(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>
  ) {
    tableView.beginUpdates()
  }

  func controller(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>,
    didChange sectionInfo: NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
    for type: NSFetchedResultsChangeType
  ) {
    switch type {
    case .insert: tableView.insertSections(IndexSet(integer: sectionIndex))
    case .delete: tableView.deleteSections(IndexSet(integer: sectionIndex))
    default: return
    }
  }

  func controller(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange anObject: Any,
    at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
  ) {
    switch type {
    case .insert: tableView.insertRows(at: [newIndexPath!])
    case .delete: tableView.deleteRows(at: [indexPath!])
    case .update: tableView.setText(text(of: anObject as! DVD), at: indexPath!)
    case .move: tableView.moveRow(at: indexPath!, to: newIndexPath!)
    @unknown default: break
    }
  }

  func controllerDidChangeContent(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>
  ) {
    tableView.endUpdates()
  }
}

import CoreDataNames
import Foundation

// 1. The stack of an app: a singleton with a lazy container.

class CoreDataStack: NSObject {
  static let shared = CoreDataStack(name: "Garage")

  let name: String
  let isInMemory: Bool

  init(name: String, isInMemory: Bool = true) {
    self.name = name
    self.isInMemory = isInMemory
    super.init()
  }

  lazy var persistentContainer: NSPersistentContainer = {
    let container = NSPersistentContainer(
      name: name, managedObjectModel: garageModel, entityClasses: [Brand.self, Car.self])
    if isInMemory {
      container.persistentStoreDescriptions.first!.url = URL(fileURLWithPath: "/dev/null")
    }
    container.loadPersistentStores(completionHandler: { (storeDescription, error) in
      if let error = error as NSError? {
        fatalError("Unresolved error \(error), \(error.userInfo)")
      }
    })
    container.viewContext.automaticallyMergesChangesFromParent = true
    container.viewContext.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
    return container
  }()

  var viewContext: NSManagedObjectContext {
    return persistentContainer.viewContext
  }

  func newDerivedContext() -> NSManagedObjectContext {
    let context = NSManagedObjectContext(
      coordinator: persistentContainer.persistentStoreCoordinator)
    context.mergePolicy = NSMergeByPropertyStoreTrumpMergePolicy
    return context
  }

  @discardableResult
  func saveContext() -> NSError? {
    let context = viewContext
    guard context.hasChanges else { return nil }
    do {
      try context.save()
      return nil
    } catch {
      let nserror = error as NSError
      context.rollback()
      return nserror
    }
  }
}

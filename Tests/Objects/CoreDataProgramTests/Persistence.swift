import CoreDataNames
import Foundation

// 10. A layer that reads synchronously and writes in transactions.

protocol DataStore {
  func read<T>(_ block: (NSManagedObjectContext) throws -> T) rethrows -> T
  func writeSync(_ block: (NSManagedObjectContext) throws -> Void) throws
  func writeAsync(
    _ block: @escaping (NSManagedObjectContext) throws -> Void,
    completion: @escaping (Error?) -> Void)
}

final class ContainerStore: DataStore {
  private let container: NSPersistentContainer
  private lazy var writer = container.newBackgroundContext()

  init(_ container: NSPersistentContainer) { self.container = container }

  func read<T>(_ block: (NSManagedObjectContext) throws -> T) rethrows -> T {
    let context = container.viewContext
    return try context.performAndWait { try block(context) }
  }

  func writeSync(_ block: (NSManagedObjectContext) throws -> Void) throws {
    let context = writer
    try context.performAndWait {
      do {
        try block(context)
        if context.hasChanges { try context.save() }
      } catch {
        context.rollback()
        throw error
      }
    }
  }

  func writeAsync(
    _ block: @escaping (NSManagedObjectContext) throws -> Void,
    completion: @escaping (Error?) -> Void
  ) {
    let context = writer
    context.perform {
      do {
        try block(context)
        try context.save()
        completion(nil)
      } catch {
        context.reset()
        completion(error)
      }
    }
  }
}

import CoreDataNames
import Foundation

// 2. Helpers for all entities, under names that many programs use.

extension NSManagedObject {
  class var entityName: String {
    return String(describing: self)
  }

  func committedValue(forKey key: String) -> Any? {
    return committedValues(forKeys: [key])[key]
  }

  func hasChangedValue(forKey key: String) -> Bool {
    return changedValues()[key] != nil
  }
}

extension NSManagedObjectContext {
  func insertObject<A: NSManagedObject>() -> A {
    guard
      let object = NSEntityDescription.insertNewObject(forEntityName: A.entityName, into: self)
        as? A
    else { fatalError("Wrong object type") }
    return object
  }

  func fetchAll<T: NSManagedObject>(
    _ type: T.Type, predicate: NSPredicate? = nil, sortedBy key: String? = nil
  ) throws -> [T] {
    let request = NSFetchRequest<T>(entityName: T.entityName)
    request.predicate = predicate
    if let key = key {
      request.sortDescriptors = [NSSortDescriptor(key: key, ascending: true)]
    }
    return try fetch(request)
  }

  func count<T: NSManagedObject>(_ type: T.Type, where format: String, _ arguments: [Any]) throws
    -> Int
  {
    let request = NSFetchRequest<NSFetchRequestResult>(entityName: type.entityName)
    request.predicate = NSPredicate(format: format, argumentArray: arguments)
    return try count(for: request)
  }

  @discardableResult
  func batchDelete<T: NSManagedObject>(_ type: T.Type, predicate: NSPredicate? = nil) throws
    -> [NSManagedObjectID]
  {
    let request = NSFetchRequest<NSFetchRequestResult>(entityName: T.entityName)
    request.predicate = predicate
    let deletion = NSBatchDeleteRequest(fetchRequest: request)
    deletion.resultType = .resultTypeObjectIDs
    let result = try execute(deletion) as? NSBatchDeleteResult
    return result?.result as? [NSManagedObjectID] ?? []
  }

  func performChanges(block: @escaping () -> Void) {
    perform {
      block()
      _ = self.saveOrRollback()
    }
  }

  func saveOrRollback() -> Bool {
    do {
      try save()
      return true
    } catch {
      rollback()
      return false
    }
  }
}

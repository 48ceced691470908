import CoreDataNames
import Foundation

// 3. A protocol of the program's own, with defaults for each entity.

protocol Managed: AnyObject, NSFetchRequestResult {
  static var entity: NSEntityDescription { get }
  static var managedEntityName: String { get }
  static var defaultSortDescriptors: [NSSortDescriptor] { get }
  static var defaultPredicate: NSPredicate { get }
}

extension Managed {
  static var defaultSortDescriptors: [NSSortDescriptor] { return [] }
  static var defaultPredicate: NSPredicate { return NSPredicate(value: true) }

  static var sortedFetchRequest: NSFetchRequest<Self> {
    let request = NSFetchRequest<Self>(entityName: managedEntityName)
    request.sortDescriptors = defaultSortDescriptors
    request.predicate = defaultPredicate
    return request
  }

  static func predicate(_ predicate: NSPredicate) -> NSPredicate {
    return NSCompoundPredicate(andPredicateWithSubpredicates: [defaultPredicate, predicate])
  }
}

extension Managed where Self: NSManagedObject {
  static var entity: NSEntityDescription { return entity() }
  static var managedEntityName: String { return entity.name }

  static func findOrCreate(
    in context: NSManagedObjectContext, matching predicate: NSPredicate, configure: (Self) -> Void
  ) -> Self {
    guard let object = findOrFetch(in: context, matching: predicate) else {
      let newObject: Self = context.insertObject()
      configure(newObject)
      return newObject
    }
    return object
  }

  static func findOrFetch(in context: NSManagedObjectContext, matching predicate: NSPredicate)
    -> Self?
  {
    guard let object = materializedObject(in: context, matching: predicate) else {
      return fetch(in: context) { request in
        request.predicate = predicate
        request.returnsObjectsAsFaults = false
        request.fetchLimit = 1
      }.first
    }
    return object
  }

  static func fetch(
    in context: NSManagedObjectContext,
    configurationBlock: (NSFetchRequest<Self>) -> Void = { _ in
    }
  ) -> [Self] {
    let request = NSFetchRequest<Self>(entityName: managedEntityName)
    configurationBlock(request)
    return try! context.fetch(request)
  }

  static func materializedObject(
    in context: NSManagedObjectContext, matching predicate: NSPredicate
  ) -> Self? {
    for object in context.registeredObjects where !object.isFault {
      guard let result = object as? Self, predicate.evaluate(with: result) else { continue }
      return result
    }
    return nil
  }
}

extension Car: Managed {
  static var defaultSortDescriptors: [NSSortDescriptor] {
    return [NSSortDescriptor(key: "price", ascending: false)]
  }
  static var defaultPredicate: NSPredicate { return NSPredicate(format: "isOld != YES") }
}

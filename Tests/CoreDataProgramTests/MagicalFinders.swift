import CoreDataNames
import Foundation

// 5. Finders with a prefix, and saves in blocks.

extension NSManagedObject {
  static func mr_entityName() -> String {
    return NSStringFromClass(self).components(separatedBy: ".").last!
  }

  static func mr_createEntity(in context: NSManagedObjectContext) -> Self {
    let entity = NSEntityDescription.entity(forEntityName: mr_entityName(), in: context)!
    return self.init(entity: entity, insertInto: context)
  }

  static func mr_requestAll(
    in context: NSManagedObjectContext, withPredicate predicate: NSPredicate? = nil
  ) -> NSFetchRequest<NSFetchRequestResult> {
    let request = NSFetchRequest<NSFetchRequestResult>()
    request.entity = NSEntityDescription.entity(forEntityName: mr_entityName(), in: context)
    request.predicate = predicate
    return request
  }

  static func mr_findAll(
    sortedBy sortTerm: String, ascending: Bool, withPredicate searchTerm: NSPredicate?,
    in context: NSManagedObjectContext
  ) -> [NSManagedObject] {
    let request = mr_requestAll(in: context, withPredicate: searchTerm)
    request.sortDescriptors = sortTerm.components(separatedBy: ",").map {
      NSSortDescriptor(key: $0, ascending: ascending)
    }
    return (try? context.fetch(request)) as? [NSManagedObject] ?? []
  }

  static func mr_aggregateOperation(
    _ function: String, onAttribute attribute: String, in context: NSManagedObjectContext
  ) -> NSNumber? {
    let expression = NSExpression(
      forFunction: function, arguments: [NSExpression(forKeyPath: attribute)])
    let description = NSExpressionDescription()
    description.name = "result"
    description.expression = expression
    description.expressionResultType = .integer64AttributeType
    let request = mr_requestAll(in: context)
    request.propertiesToFetch = [description]
    request.resultType = .dictionaryResultType
    let rows = (try? context.fetch(request)) as? [NSDictionary]
    return rows?.first?["result"] as? NSNumber
  }

  static func mr_objectIDs(in context: NSManagedObjectContext) -> [String: NSManagedObjectID] {
    let objectID = NSExpressionDescription()
    objectID.name = "id"
    objectID.expression = .expressionForEvaluatedObject()
    objectID.expressionResultType = .objectIDAttributeType
    let request = mr_requestAll(in: context)
    request.propertiesToFetch = ["name", objectID]
    request.resultType = .dictionaryResultType
    let rows = (try? context.fetch(request)) as? [NSDictionary] ?? []
    var ids: [String: NSManagedObjectID] = [:]
    for row in rows {
      guard let name = row["name"] as? String else { continue }
      ids[name] = row["id"] as? NSManagedObjectID
    }
    return ids
  }
}

extension NSPersistentContainer {
  func saveWithBlock(
    _ block: @escaping @Sendable (NSManagedObjectContext) -> Void,
    completion: @escaping @Sendable (Error?) -> Void
  ) {
    performBackgroundTask { context in
      block(context)
      do {
        try context.save()
        completion(nil)
      } catch { completion(error) }
    }
  }
}

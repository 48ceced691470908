import CoreDataNames
import Foundation

// 5. Finders with a prefix, and saves in blocks.

extension NSManagedObject {
  static func mrEntityName() -> String {
    return NSStringFromClass(self).components(separatedBy: ".").last!
  }

  static func mrCreateEntity(in context: NSManagedObjectContext) -> Self {
    let entity = NSEntityDescription.entity(forEntityName: mrEntityName(), in: context)!
    return self.init(entity: entity, insertInto: context)
  }

  static func mrRequestAll(
    in context: NSManagedObjectContext, withPredicate predicate: NSPredicate? = nil
  ) -> NSFetchRequest<NSFetchRequestResult> {
    let request = NSFetchRequest<NSFetchRequestResult>()
    request.entity = NSEntityDescription.entity(forEntityName: mrEntityName(), in: context)
    request.predicate = predicate
    return request
  }

  static func mrFindAll(
    sortedBy sortTerm: String, ascending: Bool, withPredicate searchTerm: NSPredicate?,
    in context: NSManagedObjectContext
  ) -> [NSManagedObject] {
    let request = mrRequestAll(in: context, withPredicate: searchTerm)
    request.sortDescriptors = sortTerm.components(separatedBy: ",").map {
      NSSortDescriptor(key: $0, ascending: ascending)
    }
    return (try? context.fetch(request)) as? [NSManagedObject] ?? []
  }

  static func mrAggregateOperation(
    _ function: String, onAttribute attribute: String, in context: NSManagedObjectContext
  ) -> NSNumber? {
    let expression = NSExpression(
      forFunction: function, arguments: [NSExpression(forKeyPath: attribute)])
    let description = NSExpressionDescription()
    description.name = "result"
    description.expression = expression
    description.expressionResultType = .integer64AttributeType
    let request = mrRequestAll(in: context)
    request.propertiesToFetch = [description]
    request.resultType = .dictionaryResultType
    let rows = (try? context.fetch(request)) as? [NSDictionary]
    return rows?.first?["result"] as? NSNumber
  }

  static func mrObjectIDs(in context: NSManagedObjectContext) -> [String: NSManagedObjectID] {
    let objectID = NSExpressionDescription()
    objectID.name = "id"
    objectID.expression = .expressionForEvaluatedObject()
    objectID.expressionResultType = .objectIDAttributeType
    let request = mrRequestAll(in: context)
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

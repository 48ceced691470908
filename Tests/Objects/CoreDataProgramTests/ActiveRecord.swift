import CoreDataNames
import Foundation

// 4. Records that find and make themselves, in a shared context.

enum Records {
  static var defaultContext: NSManagedObjectContext { return CoreDataStack.shared.viewContext }
}

protocol Record {}

extension Record where Self: NSManagedObject {
  @discardableResult
  static func create(
    with attributes: [String: Any] = [:],
    in context: NSManagedObjectContext = Records.defaultContext
  ) -> Self {
    let object = Self(context: context)
    for (key, value) in attributes { object.setValue(value, forKey: key) }
    return object
  }

  static func first(
    with attributes: [String: Any], type: NSCompoundPredicate.LogicalType = .and,
    in context: NSManagedObjectContext = Records.defaultContext
  ) -> Self? {
    let request = NSFetchRequest<Self>(entityName: entity().name)
    request.predicate = createPredicate(for: attributes, predicateType: type)
    request.fetchLimit = 1
    return try? context.fetch(request).first
  }

  static func firstOrCreate(
    with attributes: [String: Any], in context: NSManagedObjectContext = Records.defaultContext
  ) -> Self {
    return first(with: attributes, in: context) ?? create(with: attributes, in: context)
  }

  static func createPredicate(
    for attributes: [String: Any], predicateType: NSCompoundPredicate.LogicalType = .and
  ) -> NSPredicate {
    var predicates = [NSPredicate]()
    for (attribute, value) in attributes.sorted(by: { $0.key < $1.key }) {
      predicates.append(NSPredicate(format: "%K = %@", argumentArray: [attribute, value]))
    }
    return NSCompoundPredicate(type: predicateType, subpredicates: predicates)
  }

  static func values(for attribute: String, in context: NSManagedObjectContext) -> [Any] {
    let request = NSFetchRequest<NSDictionary>(entityName: entity().name)
    request.resultType = .dictionaryResultType
    request.returnsDistinctResults = true
    request.propertiesToFetch = [attribute]
    request.sortDescriptors = [NSSortDescriptor(key: attribute, ascending: true)]
    let rows = (try? context.fetch(request)) ?? []
    return rows.compactMap { $0[attribute] }
  }

  func delete(from context: NSManagedObjectContext = Records.defaultContext) {
    context.delete(self)
  }
}

extension Brand: Record {}
extension Car: Record {}

/// A class name in an archive, with its superclasses, nearest first, without NSObject.
struct ArchivedClass {
  let name: String
  var ancestors: [String] = []

  static let array = ArchivedClass(name: "NSArray")
  static let mutableArray = ArchivedClass(name: "NSMutableArray", ancestors: ["NSArray"])
  static let set = ArchivedClass(name: "NSSet")
  static let dictionary = ArchivedClass(name: "NSDictionary")
  static let mutableDictionary = ArchivedClass(
    name: "NSMutableDictionary", ancestors: ["NSDictionary"])
  static let knownKeys = ArchivedClass(
    name: "NSKnownKeysDictionary1",
    ancestors: ["NSKnownKeysDictionary", "NSMutableDictionary", "NSDictionary"])
  static let knownKeysMapping = ArchivedClass(
    name: "NSKnownKeysMappingStrategy1", ancestors: ["NSKnownKeysMappingStrategy"])

  static let date = ArchivedClass(name: "NSDate")
  static let uuid = ArchivedClass(name: "NSUUID")
  static let url = ArchivedClass(name: "NSURL")
  static let decimal = ArchivedClass(
    name: "NSDecimalNumber", ancestors: ["NSNumber", "NSValue"])

  static let model = ArchivedClass(name: "NSManagedObjectModel")
  static let entity = ArchivedClass(name: "NSEntityDescription")
  static let fetchRequest = ArchivedClass(
    name: "NSFetchRequest", ancestors: ["NSPersistentStoreRequest"])
  static let sortDescriptor = ArchivedClass(name: "NSSortDescriptor")
  static let fetchIndex = ArchivedClass(name: "NSFetchIndexDescription")
  static let fetchIndexElement = ArchivedClass(name: "NSFetchIndexElementDescription")

  static let attribute = property("NSAttributeDescription")
  static let derivedAttribute = property(
    "NSDerivedAttributeDescription", below: "NSAttributeDescription")
  static let compositeAttribute = property(
    "NSCompositeAttributeDescription", below: "NSAttributeDescription")
  static let relationship = property("NSRelationshipDescription")
  static let fetchedProperty = property("NSFetchedPropertyDescription")
  static let expressionProperty = property("NSExpressionDescription")

  private static func property(_ name: String, below parent: String...) -> ArchivedClass {
    ArchivedClass(name: name, ancestors: parent + ["NSPropertyDescription"])
  }

  /// A subclass of NSExpression.
  static func expression(_ name: String, below parent: String...) -> ArchivedClass {
    ArchivedClass(name: name, ancestors: parent + ["NSExpression"])
  }

  /// A subclass of NSPredicate.
  static func predicate(_ name: String) -> ArchivedClass {
    ArchivedClass(name: name, ancestors: ["NSPredicate"])
  }

  /// A subclass of NSPredicateOperator, the operator of a comparison predicate.
  static func predicateOperator(_ name: String) -> ArchivedClass {
    ArchivedClass(name: name, ancestors: ["NSPredicateOperator"])
  }
}

import ManagedObjects
import ObjectModel

final class Person: ManagedObject, EntityClass {
  static let entityName = "Person"
  static let username = AttributeKey<Person, String>("username")
  static let discs = RelationshipKey<Person, Set<Disc>>("discs")
}

final class Disc: ManagedObject, EntityClass {
  static let entityName = "Disc"
  static let title = AttributeKey<Disc, String?>("title")
  static let owner = RelationshipKey<Disc, Person?>("owner")
}

let discModel = ManagedObjectModel {
  Entity("Person") {
    Attribute("username", .string, isOptional: false)
    ToMany("discs", "Disc", inverse: "owner", deleteRule: .cascade)
  }
  Entity("Disc") {
    Attribute("title", .string)
    ToOne("owner", "Person", inverse: "discs")
  }
}

extension ManagedObjectContext {
  /// The number of objects of an entity in the store and among the unsaved changes.
  ///
  /// It does not depend on what the context has merged of the saves of others.
  func storedCount(of entityName: String) throws -> Int {
    try count(for: FetchRequest<ManagedObject>(entityName: entityName))
  }
}

import ManagedObjects
import ObjectModel
import TestStores

extension ObjectStore {
  /// A store with the company Acme and Ada, who earns 10 and has no employer, and two contexts; the
  /// first has saved them.
  static func withAda(_ kind: TestedStore) throws -> (
    ObjectStore, mine: ManagedObjectContext, theirs: ManagedObjectContext
  ) {
    let model = ManagedObjectModel {
      Entity("Company") {
        Attribute("name", .string)
        ToMany("employees", "Person", inverse: "employer")
      }
      Entity("Person") {
        Attribute("name", .string)
        Attribute("salary", .integer64)
        Attribute("grade", .integer64)
        ToOne("employer", "Company", inverse: "employees")
      }
    }
    let store = try ObjectStore(kind, model)
    let context = store.context()
    try context.make("Company", "Acme")
    try context.make("Person", "Ada")["salary"] = 10
    try context.save()
    return (store, context, store.context())
  }
}

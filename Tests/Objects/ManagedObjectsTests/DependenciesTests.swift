import ObjectModel
import Testing

@testable import ManagedObjects

/// Which objects of a list a change of related objects, saved or not, may move.
struct DependenciesTests {
  private let context = makeContext()
  private let ada, bo, acme, rex: ManagedObject

  init() throws {
    let context = context
    func make(_ entityName: String, _ name: String) throws -> ManagedObject {
      let object = try context.insert(entityName: entityName)
      object["name"] = .string(name)
      return object
    }
    ada = try make("Person", "ada")
    bo = try make("Person", "bo")
    acme = try make("Company", "acme")
    rex = try make("Pet", "rex")
    try ada.setObject(acme, forKey: "employer")
    try rex.setObject(bo, forKey: "owner")
    try context.save()
  }

  private func dependencies(_ keyPaths: String..., predicate: String? = nil) throws -> Dependencies
  {
    let request = FetchRequest<ManagedObject>(
      entityName: "Person", predicate: try predicate.map { try FetchPredicate(format: $0) },
      sortDescriptors: keyPaths.map { FetchSortDescriptor($0) })
    return Dependencies(try request.plan(in: context.model), in: context)
  }

  private func affected(
    _ dependencies: Dependencies, by object: ManagedObject, _ keys: Set<String>
  ) -> Set<ObjectID>? {
    dependencies.affected(
      by: ContextChange(updated: [object.objectID], changedKeys: [object.objectID: keys]),
      in: context)
  }

  @Test func `a list of own attributes depends on nothing else`() throws {
    let own = try dependencies("name", predicate: "age > 3")
    #expect(own.isEmpty && own.toOnePaths.isEmpty)
    #expect(own.concerns(ada.objectID) && !own.concerns(acme.objectID))
    #expect(affected(own, by: acme, ["name"]) == [])
  }

  @Test func `a change of what a key path reads leads back to the objects that read it`() throws {
    let byEmployer = try dependencies("employer.name", "name")
    #expect(byEmployer.toOnePaths == [["employer"]])
    #expect(affected(byEmployer, by: acme, ["name"]) == [ada.objectID])
    #expect(affected(byEmployer, by: acme, ["employees"]) == [])
    #expect(affected(byEmployer, by: rex, ["name"]) == [])
  }

  @Test func `a count depends on which objects are related`() throws {
    let byCount = try dependencies("name", predicate: "pets.@count > 0")
    #expect(byCount.toOnePaths.isEmpty)
    #expect(affected(byCount, by: rex, ["owner"]) == [bo.objectID])
    #expect(affected(byCount, by: acme, ["name"]) == [])
  }

  @Test func `unsaved changes affect the objects that are related now, and those that were before`()
    throws
  {
    let byEmployer = try dependencies("employer.name")
    #expect(try byEmployer.affectedByUnsavedChanges(of: context).isEmpty)
    ada["note"] = "x"
    #expect(try byEmployer.affectedByUnsavedChanges(of: context).isEmpty)
    acme["name"] = "zenith"
    #expect(try byEmployer.affectedByUnsavedChanges(of: context) == [ada.objectID])
    try ada.setObject(nil, forKey: "employer")
    try bo.setObject(acme, forKey: "employer")
    let both: Set = [ada.objectID, bo.objectID]
    #expect(Set(try byEmployer.affectedByUnsavedChanges(of: context)) == both)
  }
}

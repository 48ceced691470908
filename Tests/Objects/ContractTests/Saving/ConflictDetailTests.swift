import ManagedObjects
import ObjectModel
import TestStores
import Testing

@Suite struct `What conflicts carry` {
  /// Ada is 40 here and 50 in the store, where she was 36.
  private func conflict(_ kind: Kind) throws -> (office: Office, ada: ManagedObject) {
    let office = try Office(kind)
    let ada = try office.person("Ada")
    ada["age"] = 40
    try office.saveElsewhere { try $0.named("Ada")["age"] = 50 }
    return (office, ada)
  }

  private func conflict(of error: ManagedObjectError) throws -> ContextConflict {
    try #require(error.mergeConflicts.count == 1 ? error.mergeConflicts.first : nil)
  }

  // Core Data: NSMergeConflict.sourceObject, objectSnapshot, cachedSnapshot, persistedSnapshot.
  @Test(arguments: stores) func `a merge conflict has the object here, as read, and in the store`(
    kind: Kind
  ) throws {
    let (office, ada) = try conflict(kind)
    let conflict = try conflict(of: managedObjectError { try office.context.save() })
    #expect(office.context.object(with: conflict.objectID) === ada)
    #expect(conflict.objectSnapshot?["age"] == 40 && conflict.cachedSnapshot?["age"] == 36)
    #expect(conflict.persistedSnapshot?["age"] == 50 && conflict.objectSnapshot?["name"] == "Ada")
    #expect(office.context.conflicts[ada.objectID] == conflict)
  }

  // Core Data: NSMergeConflict.oldVersionNumber, newVersionNumber.
  @Test(arguments: stores) func `a merge conflict has both versions of the row`(kind: Kind) throws {
    let (office, _) = try conflict(kind)
    let conflict = try conflict(of: managedObjectError { try office.context.save() })
    #expect(conflict.oldVersion != nil && conflict.newVersion != nil)
    #expect(conflict.oldVersion != conflict.newVersion)
  }

  // Core Data: NSMergeConflict.objectSnapshot has to-one relationships.
  @Test(arguments: stores) func `the snapshots of a conflict have to-one relationships`(kind: Kind)
    throws
  {
    let office = try Office(kind)
    let (bob, ada, cyd) = (
      try office.person("Bob"), try office.person("Ada"), try office.person("Cyd")
    )
    try bob.setObject(cyd, forKey: "manager")
    try office.saveElsewhere { try $0.named("Bob").setObject(nil, forKey: "manager") }
    let conflict = try conflict(of: managedObjectError { try office.context.save() })
    #expect(conflict.objectSnapshot?["manager"] == .string(cyd.objectID.uriRepresentation))
    #expect(conflict.cachedSnapshot?["manager"] == .string(ada.objectID.uriRepresentation))
    #expect(conflict.persistedSnapshot?["manager"] == .null)
  }

  // Core Data: NSMergeConflict.persistedSnapshot is nil, newVersionNumber 0 for a deleted row.
  @Test(arguments: stores)
  func `the conflict of an object that was deleted in the store has no stored one`(
    kind: Kind
  ) throws {
    let office = try Office(kind)
    try office.person("Cyd")["age"] = 26
    try office.saveElsewhere { try $0.delete($0.named("Cyd")) }
    let conflict = try conflict(of: managedObjectError { try office.context.save() })
    #expect(conflict.isGone && conflict.persistedSnapshot == nil && conflict.newVersion == nil)
    #expect(conflict.objectSnapshot?["age"] == 26 && conflict.cachedSnapshot?["age"] == 25)
  }

  // Core Data: NSMergeConflict.objectSnapshot is nil for an object that was deleted here.
  @Test(arguments: stores) func `the conflict of an object that was deleted here has none here`(
    kind: Kind
  ) throws {
    let office = try Office(kind)
    let cyd = try office.person("Cyd")
    _ = cyd["age"]
    try office.context.delete(cyd)
    try office.saveElsewhere { try $0.named("Cyd")["age"] = 26 }
    let conflict = try conflict(of: managedObjectError { try office.context.save() })
    #expect(conflict.objectSnapshot == nil && conflict.cachedSnapshot?["age"] == 25)
    #expect(conflict.persistedSnapshot?["age"] == 26 && !conflict.isGone)
  }

  // Core Data: the conflictList of an error has all conflicts of the save.
  @Test(arguments: stores) func `an error has all conflicts of its save`(kind: Kind) throws {
    let office = try Office(kind)
    let other = office.anotherContext()
    for (index, name) in ["Ada", "Bob", "Cyd"].enumerated() {
      try office.person(name)["age"] = .integer(Int64(index))
      try other.named(name)["age"] = 99
    }
    try other.save()
    let error = try managedObjectError { try office.context.save() }
    #expect(error.mergeConflicts.count == 3)
    #expect(error.mergeConflicts.allSatisfy { $0.persistedSnapshot?["age"] == 99 })
  }

  // Core Data: NSConstraintConflict.constraint, constraintValues, databaseObject,
  // conflictingObjects.
  @Test(arguments: stores) func `a constraint conflict has the values and both objects`(kind: Kind)
    throws
  {
    let office = try Office(kind)
    let ada = try office.person("Ada")
    ada["code"] = "x"
    try office.context.save()
    let new = try office.context.make("New")
    new["code"] = "x"
    let error = try managedObjectError { try office.context.save() }
    let conflict = try #require(error.constraintConflicts.first)
    #expect(error.constraintConflicts.count == 1 && error.mergeConflicts.isEmpty)
    #expect(conflict.constraint == ["code"] && conflict.constraintValues == ["code": "x"])
    #expect(conflict.databaseObjectID == ada.objectID)
    #expect(conflict.conflictingObjectIDs == [new.objectID])
  }

  // Core Data: NSConstraintConflict.databaseSnapshot, conflictingSnapshots.
  @Test(arguments: stores) func `a constraint conflict has snapshots of its objects`(kind: Kind)
    throws
  {
    let office = try Office(kind)
    try office.person("Ada")["code"] = "x"
    try office.context.save()
    try office.person("Bob")["code"] = "x"
    let error = try managedObjectError { try office.context.save() }
    let conflict = try #require(error.constraintConflicts.first)
    #expect(conflict.databaseSnapshot?["name"] == "Ada" && conflict.databaseSnapshot?["age"] == 36)
    #expect(conflict.conflictingSnapshots.map { $0["name"] } == ["Bob"])
  }

  // Core Data: NSConstraintConflict.databaseObject is nil if all objects are unsaved.
  @Test(arguments: stores) func `two new objects with one value are both named`(kind: Kind) throws {
    let office = try Office(kind)
    let (one, two) = (try office.context.make("1"), try office.context.make("2"))
    (one["code"], two["code"]) = ("x", "x")
    let error = try managedObjectError { try office.context.save() }
    #expect(Set(error.objectIDs) == [one.objectID, two.objectID])
    let conflict = try #require(error.constraintConflicts.first)
    #expect(conflict.databaseObjectID == nil && conflict.databaseSnapshot == nil)
    #expect(conflict.conflictingObjectIDs == [one.objectID, two.objectID])
    #expect(one.isInserted && two.isInserted && office.context.hasChanges)
  }

  // Core Data: NSConstraintConflict of a constraint of several attributes.
  @Test(arguments: stores) func `a conflict of two attributes has both values`(kind: Kind) throws {
    let office = try Office(kind)
    for name in ["a", "b"] {
      let seat = try office.context.make(name, "Seat")
      (seat["row"], seat["number"]) = (3, 4)
    }
    let error = try managedObjectError { try office.context.save() }
    #expect(error.constraintConflicts.map(\.constraintValues) == [["row": 3, "number": 4]])
  }
}

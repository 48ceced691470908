import ManagedObjects
import ObjectModel
import TestStores
import TestSupport
import Testing

@Suite struct `Merge policies` {
  // Core Data: NSMergePolicy: unsaved changes of other properties are kept when others are merged.
  @Test(arguments: stores, MergePolicy.allCases)
  func `changes of different properties are merged under every policy`(
    kind: Kind, policy: MergePolicy
  ) throws {
    let (office, ada) = try changedElsewhere(kind, policy) {
      $0["age"] = 40
    } theirs: {
      $0["code"] = "a"
    }
    try office.context.save()
    #expect(ada["age"] == 40 && ada["code"] == "a")
    #expect(try office.stored("Ada", "age") == 40 && office.stored("Ada", "code") == "a")
  }

  // Core Data: NSMergePolicy.mergeByPropertyStoreTrump, mergeByPropertyObjectTrump, overwrite,
  // rollback: which value of a property that both have changed is kept.
  @Test(
    arguments: stores,
    [
      (MergePolicy.mergeByPropertyStoreTrump, 50), (.mergeByPropertyObjectTrump, 40),
      (.overwrite, 40), (.rollback, 50),
    ] as [(MergePolicy, Int64)])
  func `a policy decides which value of one property is kept`(
    kind: Kind, expected: (policy: MergePolicy, age: Int64)
  ) throws {
    let (office, ada) = try changedElsewhere(kind, expected.policy) {
      $0["age"] = 40
    } theirs: {
      $0["age"] = 50
    }
    try office.context.save()
    #expect(ada["age"] == .integer(expected.age) && !office.context.hasChanges)
    #expect(try office.stored("Ada", "age") == .integer(expected.age))
  }

  // Core Data: NSMergeByPropertyObjectTrumpMergePolicy: what only the store has changed is kept.
  @Test(arguments: stores) func `object trump keeps what only the store has changed`(kind: Kind)
    throws
  {
    let (office, ada) = try changedElsewhere(kind, .mergeByPropertyObjectTrump) {
      $0["age"] = 40
    } theirs: {
      ($0["age"], $0["code"]) = (50, "a")
    }
    try office.context.save()
    #expect(ada["age"] == 40 && ada["code"] == "a")
  }

  // Core Data: NSMergeByPropertyStoreTrumpMergePolicy: what only the context has changed is written.
  @Test(arguments: stores) func `store trump writes what only the context has changed`(kind: Kind)
    throws
  {
    let (office, ada) = try changedElsewhere(kind, .mergeByPropertyStoreTrump) {
      ($0["age"], $0["code"]) = (40, "mine")
    } theirs: {
      $0["age"] = 50
    }
    try office.context.save()
    #expect(ada["age"] == 50 && ada["code"] == "mine")
    #expect(try office.stored("Ada", "code") == "mine")
  }

  // Core Data: NSOverwriteMergePolicy: the whole object replaces that of the store.
  @Test(arguments: stores) func `overwrite replaces the whole object`(kind: Kind) throws {
    let (office, _) = try changedElsewhere(kind, .overwrite) {
      $0["age"] = 40
    } theirs: {
      ($0["age"], $0["code"]) = (50, "a")
    }
    try office.context.save()
    #expect(try office.stored("Ada", "code").isNull && office.stored("Ada", "age") == 40)
  }

  // Core Data: NSRollbackMergePolicy: all changes of the object in conflict are discarded.
  @Test(arguments: stores) func `rollback discards all changes of the object in conflict`(
    kind: Kind
  )
    throws
  {
    let (office, ada) = try changedElsewhere(kind, .rollback) {
      ($0["age"], $0["code"]) = (40, "mine")
    } theirs: {
      $0["age"] = 50
    }
    try office.person("Bob")["age"] = 21
    try office.context.save()
    #expect(ada["age"] == 50 && ada["code"].isNull)
    #expect(try office.stored("Bob", "age") == 21)
  }

  // Core Data: NSMergePolicy: an object that was deleted in the store.
  @Test(
    arguments: stores,
    [
      (MergePolicy.mergeByPropertyStoreTrump, false), (.mergeByPropertyObjectTrump, true),
      (.overwrite, true), (.rollback, false),
    ])
  func `a policy decides whether an object that was deleted elsewhere comes back`(
    kind: Kind, expected: (policy: MergePolicy, isBack: Bool)
  ) throws {
    let office = try Office(kind)
    office.context.mergePolicy = expected.policy
    try office.person("Cyd")["age"] = 26
    try office.saveElsewhere { try $0.delete($0.named("Cyd")) }
    try office.context.save()
    #expect(try office.anotherContext().names().contains("Cyd") == expected.isBack)
  }

  // Core Data: NSMergePolicy: an object that is deleted here and was changed in the store.
  @Test(
    arguments: stores,
    [
      (MergePolicy.mergeByPropertyStoreTrump, true), (.mergeByPropertyObjectTrump, false),
      (.overwrite, false), (.rollback, true),
    ])
  func `a policy decides whether an object that was changed elsewhere is deleted`(
    kind: Kind, expected: (policy: MergePolicy, stays: Bool)
  ) throws {
    let office = try Office(kind)
    office.context.mergePolicy = expected.policy
    let cyd = try office.person("Cyd")
    _ = cyd["age"]
    try office.context.delete(cyd)
    try office.saveElsewhere { try $0.named("Cyd")["age"] = 26 }
    try office.context.save()
    #expect(try office.anotherContext().names().contains("Cyd") == expected.stays)
  }

  // Core Data: NSMergePolicy: each but the error policy decides equal changes of both, too.
  @Test(arguments: stores, MergePolicy.allCases.filter { $0 != .error })
  func `a policy decides about the same change in both contexts`(kind: Kind, policy: MergePolicy)
    throws
  {
    let (office, ada) = try changedElsewhere(kind, policy) {
      ($0["age"], $0["code"]) = (37, "mine")
    } theirs: {
      $0["age"] = 37
    }
    try office.context.save()
    #expect(try ada["age"] == 37 && office.stored("Ada", "age") == 37)
    #expect(try office.stored("Ada", "code") == (policy == .rollback ? .null : "mine"))
  }
}

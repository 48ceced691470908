import Foundation
import ManagedObjects
import ObjectModel
import SQLiteStore
import TestStores
import TestSupport
import Testing

/// What each merge policy does about each kind of conflict.
@Suite struct MergePolicyTests {
  /// My context with the policy, theirs, and Ada in both.
  private func conflict(_ kind: TestedStore, _ policy: MergePolicy) throws -> (
    store: ObjectStore, mine: ManagedObjectContext, theirs: ManagedObjectContext,
    ada: ManagedObject, other: ManagedObject
  ) {
    let (store, mine, theirs) = try ObjectStore.withAda(kind)
    mine.mergePolicy = policy
    return (
      store, mine, theirs, try mine.named("Ada", "Person"), try theirs.named("Ada", "Person")
    )
  }

  private func saved(_ store: ObjectStore) throws -> [String] {
    try store.context().fetch(FetchRequest<ManagedObject>(entityName: "Person")).map {
      let employer = $0.object(forKey: "employer")?.string("name") ?? "nobody"
      return
        "\($0.string("name")) \($0.integer("salary") ?? 0) \($0.integer("grade") ?? 0) \(employer)"
    }
  }

  @Test(arguments: TestedStore.allCases, MergePolicy.allCases)
  func `both have changed a property, and each another one`(
    kind: TestedStore, policy: MergePolicy
  ) throws {
    let (store, mine, theirs, ada, other) = try conflict(kind, policy)
    ada["salary"] = 20
    try ada.setObject(mine.named("Acme", "Company"), forKey: "employer")
    (other["salary"], other["grade"]) = (30, 5)
    try theirs.save()
    let expected =
      switch policy {
      case .error: "Ada 30 5 nobody"
      case .mergeByPropertyStoreTrump: "Ada 30 5 Acme"
      case .mergeByPropertyObjectTrump: "Ada 20 5 Acme"
      case .overwrite: "Ada 20 0 Acme"
      case .rollback: "Ada 30 5 nobody"
      }
    if policy == .error {
      let error = #expect(throws: ManagedObjectError.self) { try mine.save() }
      #expect(error?.reason == .conflict)
      #expect(mine.conflicts[ada.objectID]?.theirKeys == ["salary", "grade"])
    } else {
      try mine.save()
      #expect(!mine.hasChanges && mine.conflicts.isEmpty)
      let here = "Ada \(ada.integer("salary") ?? 0) \(ada.integer("grade") ?? 0) "
      #expect(expected.hasPrefix(here))
    }
    #expect(try saved(store) == [expected])
  }

  @Test(arguments: TestedStore.allCases, MergePolicy.allCases)
  func `the row was deleted`(kind: TestedStore, policy: MergePolicy) throws {
    let (store, mine, theirs, ada, other) = try conflict(kind, policy)
    ada["salary"] = 20
    try theirs.delete(other)
    try theirs.save()
    if policy == .error {
      #expect(throws: ManagedObjectError.self) { try mine.save() }
      #expect(mine.conflicts[ada.objectID]?.isGone == true)
    } else {
      try mine.save()
    }
    let isBack = policy == .mergeByPropertyObjectTrump || policy == .overwrite
    #expect(try saved(store) == (isBack ? ["Ada 20 0 nobody"] : []))
    #expect(mine.hasChanges == (policy == .error))
  }

  @Test(arguments: TestedStore.allCases, MergePolicy.allCases)
  func `what is deleted here was changed`(kind: TestedStore, policy: MergePolicy) throws {
    let (store, mine, theirs, ada, other) = try conflict(kind, policy)
    try mine.delete(ada)
    other["salary"] = 30
    try theirs.save()
    if policy == .error {
      #expect(throws: ManagedObjectError.self) { try mine.save() }
    } else {
      try mine.save()
    }
    let isGone = policy == .mergeByPropertyObjectTrump || policy == .overwrite
    #expect(try saved(store) == (isGone ? [] : ["Ada 30 0 nobody"]))
    #expect(ada.isDeleted == (policy == .error) && mine.hasChanges == (policy == .error))
  }

  @Test(arguments: TestedStore.allCases)
  func `an object that a deleted one has gained is nullified too`(kind: TestedStore) throws {
    let (store, mine, theirs, _, other) = try conflict(kind, .mergeByPropertyObjectTrump)
    try mine.delete(mine.named("Acme", "Company"))
    mine.processPendingChanges()
    try other.setObject(theirs.named("Acme", "Company"), forKey: "employer")
    try theirs.save()
    try mine.save()
    #expect(try saved(store) == ["Ada 10 0 nobody"])
    #expect(try mine.count(for: FetchRequest<ManagedObject>(entityName: "Company")) == 0)
  }

  @Test(arguments: TestedStore.allCases)
  func `a plan that was shown is never merged`(kind: TestedStore) throws {
    let (store, mine, theirs, ada, other) = try conflict(kind, .overwrite)
    let plan = try mine.deletionPlan(for: [ada.objectID])
    other["salary"] = 30
    try theirs.save()
    #expect(throws: ManagedObjectError.self) { try mine.save(deleting: plan) }
    #expect(try saved(store) == ["Ada 30 0 nobody"])
  }
}

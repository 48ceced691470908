import Foundation
import ManagedObjects
import ObjectModel
import SQLiteStore
import TestSupport
import Testing

/// What each merge policy does about each kind of conflict.
@Suite struct MergePolicyTests {
  /// My context with the policy, theirs, and Ada in both.
  private func conflict(_ kind: ObjectStoreKind, _ policy: MergePolicy) throws -> (
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

  @Test(arguments: ObjectStoreKind.allCases, MergePolicy.allCases)
  func `both have changed a property, and each another one`(
    kind: ObjectStoreKind, policy: MergePolicy
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

  @Test(arguments: ObjectStoreKind.allCases, MergePolicy.allCases)
  func `the row was deleted`(kind: ObjectStoreKind, policy: MergePolicy) throws {
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

  @Test(arguments: ObjectStoreKind.allCases, MergePolicy.allCases)
  func `what is deleted here was changed`(kind: ObjectStoreKind, policy: MergePolicy) throws {
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

  @Test(arguments: ObjectStoreKind.allCases)
  func `an object that a deleted one has gained is nullified too`(kind: ObjectStoreKind) throws {
    let (store, mine, theirs, _, other) = try conflict(kind, .mergeByPropertyObjectTrump)
    try mine.delete(mine.named("Acme", "Company"))
    mine.processPendingChanges()
    try other.setObject(theirs.named("Acme", "Company"), forKey: "employer")
    try theirs.save()
    try mine.save()
    #expect(try saved(store) == ["Ada 10 0 nobody"])
    #expect(try mine.count(for: FetchRequest<ManagedObject>(entityName: "Company")) == 0)
  }

  @Test(arguments: ObjectStoreKind.allCases)
  func `a plan that was shown is never merged`(kind: ObjectStoreKind) throws {
    let (store, mine, theirs, ada, other) = try conflict(kind, .overwrite)
    let plan = try mine.deletionPlan(for: [ada.objectID])
    other["salary"] = 30
    try theirs.save()
    #expect(throws: ManagedObjectError.self) { try mine.save(deleting: plan) }
    #expect(try saved(store) == ["Ada 30 0 nobody"])
  }
}

/// Contexts on several threads, on two coordinators as two processes have, save at random.
@Suite(.serialized) struct RandomMergingTests {
  private static let threads = 4
  private static let objects = 6

  private static let model = ManagedObjectModel {
    Entity("Person") {
      Attribute("name", .string)
      // The last one to write it.
      Attribute("last", .integer64)
      // How often each thread has written.
      for thread in 0..<threads { Attribute("count\(thread)", .integer64, default: 0) }
    }
  }

  /// How many saves each thread makes.
  private static let saves =
    ProcessInfo.processInfo.environment["CARDFILE_SAVES"].flatMap(Int.init) ?? 40

  @Test(arguments: [ObjectStoreKind.plain, .coreData], MergePolicy.allCases)
  func `no update is lost that the policy does not allow`(
    kind: ObjectStoreKind, policy: MergePolicy
  ) async throws {
    let store = try ObjectStore(kind, Self.model)
    let path = try #require(store.database).path
    let first = store.context()
    for number in 0..<Self.objects { try first.make("Person", "\(number)") }
    try first.save()
    let other = PersistentStoreCoordinator(store: try SQLiteStore.open(path: path))
    let coordinators = [store.coordinator, other]
    // Each thread owns an attribute; all of them write `last`.
    let written = try await withThrowingTaskGroup(of: [Int].self) { group in
      for thread in 0..<Self.threads {
        let coordinator = coordinators[thread % 2]
        group.addTask { try Self.write(thread, coordinator, policy) }
      }
      return try await group.reduce(into: [:]) { written, counts in
        written[counts[0]] = Array(counts.dropFirst())
      }
    }
    let context = ManagedObjectContext(
      coordinator: PersistentStoreCoordinator(store: try SQLiteStore.open(path: path)))
    let people = try context.fetch(FetchRequest<ManagedObject>(entityName: "Person"))
    for person in people {
      let number = try #require(Int(person.string("name")))
      for thread in 0..<Self.threads {
        let count = person.integer("count\(thread)").map(Int.init) ?? -1
        let expected = try #require(written[thread])[number]
        // Overwriting writes what it has read of the others, which may be older.
        if policy == .overwrite {
          #expect((0...expected).contains(count))
        } else {
          #expect(count == expected)
        }
      }
      let last = person.integer("last").map(Int.init) ?? 0
      #expect(last < Self.threads * 1_000_000)
    }
    // All who look see the same.
    for coordinator in coordinators {
      let view = ManagedObjectContext(coordinator: coordinator)
      try view.refreshFromStore()
      #expect(try Self.picture(view) == Self.picture(context))
    }
  }

  private static func picture(_ context: ManagedObjectContext) throws -> [String] {
    try context.fetch(FetchRequest<ManagedObject>(entityName: "Person")).map { person in
      person.entity.attributes.map { "\($0.name)=\(person[$0.name])" }.joined(separator: " ")
    }.sorted()
  }

  /// Saves on a thread, and counts by object what of it was written; the thread comes first.
  private static func write(
    _ thread: Int, _ coordinator: PersistentStoreCoordinator, _ policy: MergePolicy
  ) throws -> [Int] {
    let context = ManagedObjectContext(coordinator: coordinator)
    context.mergePolicy = policy
    var random = SeededGenerator(seed: UInt64(thread + 1))
    var counts = Array(repeating: 0, count: objects)
    let people = try context.fetch(FetchRequest<ManagedObject>(entityName: "Person"))
    let key = "count\(thread)"
    for round in 1...saves {
      let person = random.pick(people)
      let number = Int(person.string("name")) ?? 0
      let target = counts[number] + 1
      try person.setValue(.integer(Int64(target)), forKey: key)
      if random.chance(oneIn: 2) {
        try person.setValue(.integer(Int64(thread * 1_000_000 + round)), forKey: "last")
      }
      do { try save(context) } catch let error as ManagedObjectError
        where error.reason == .conflict
      {
        #expect(policy == .error)
        context.rollback()
        try context.refreshFromStore()
      }
      // What the policy has discarded was not written.
      if person.integer(key) == Int64(target) { counts[number] = target }
    }
    return [thread] + counts
  }

  /// Saves, again if others had the lock for longer than a save waits: SQLite's locks are not fair,
  /// and of thousands of saves at the same time one may not get its turn.
  private static func save(_ context: ManagedObjectContext) throws {
    while true {
      do {
        try context.save()
        return
      } catch let error as ManagedObjectError where error.storeError?.reason == .locked {
        continue
      }
    }
  }
}

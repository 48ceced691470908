import Foundation
import ManagedObjects
import ObjectModel
import SQLiteStore
import TestStores
import TestSupport
import Testing

/// Contexts of several threads and processes that save changes of the same objects at once.
@Suite(.serialized) struct `Saves at the same time` {
  /// How many saves are made under each policy, and of counters in each kind of store;
  /// `CARDFILE_SAVES` changes it.
  static let saves =
    ProcessInfo.processInfo.environment["CARDFILE_SAVES"].flatMap { Int($0) } ?? 80
  static let seed =
    ProcessInfo.processInfo.environment["CARDFILE_SAVE"].flatMap { UInt64($0) } ?? 1

  // Core Data: NSManagedObjectContext.automaticallyMergesChangesFromParent, on several threads.
  @Test(arguments: stores, MergePolicy.allCases)
  func `of the threads of a process leave every context with what is in the store`(
    kind: Kind, policy: MergePolicy
  ) throws {
    let folder = try TemporaryFolder()
    let store = try kind.makeStore(ConcurrentStore.model, in: folder)
    let coordinator = PersistentStoreCoordinator(store: store)
    let context = ManagedObjectContext(coordinator: coordinator)
    for number in 0..<Int64(16) {
      try context.insert(entityName: "Item").setValue(.integer(number), forKey: "number")
    }
    try context.save()
    let job = ConcurrentProcess.Job(
      saves: Self.saves / ConcurrentProcess.threads, policy: policy, seed: Self.seed, firstName: 0,
      hasOthers: false)
    let reports = try ConcurrentProcess.run(job, on: store) {}
    let expected = try ConcurrentStore.picture(
      ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store)))
    expect(reports, toSee: expected)
  }

  // Core Data: NSMergePolicy: what each of them may overwrite.
  @Test(arguments: [Kind.plain, .coreData], MergePolicy.allCases)
  func `of two processes lose nothing that the merge policy does not give up`(
    kind: Kind, policy: MergePolicy
  ) async throws {
    let store = try ConcurrentStore(kind, itemCount: 16)
    let reports = try await reports(
      of: store, policy, seed: Self.seed,
      saves: Self.saves / ConcurrentProcess.processes / ConcurrentProcess.threads)
    #expect(reports.count == ConcurrentProcess.processes * ConcurrentProcess.threads)
    let audit = try ConcurrentAudit(store.log(), works: reports.map(\.works), policy: policy)
    #expect(audit.faults() == [])
    let expected = try ConcurrentStore.picture(store.reader())
    expect(reports, toSee: expected)
    let findings = try store.findings()
    #expect(findings == [])
  }

  /// How many random models are tried; `CARDFILE_MODELS` changes it.
  private static let models: ClosedRange<UInt64> =
    1...(ProcessInfo.processInfo.environment["CARDFILE_MODELS"].flatMap { UInt64($0) } ?? 12)

  // Core Data: relationships and delete rules hold after any merge.
  @Test(arguments: models)
  func `of objects of a random model leave a whole store, which all see`(seed: UInt64) async throws
  {
    let model = RandomModel(seed: seed)
    // Both ends of a relationship from one to one are stored: two contexts may set one each.
    if model.hasOneToOne { return }
    let policy = MergePolicy.allCases[Int(seed) % MergePolicy.allCases.count]
    let store = try ConcurrentStore(seed % 2 == 0 ? .plain : .coreData, model.model)
    let reports = try await reports(of: store, policy, seed: seed, saves: 25, model: seed)
    let refusals = Set(reports.flatMap(\.works).compactMap(\.refusal))
    // An undone deletion may lead to what was deleted since: that is not valid.
    let allowed: Set = ["conflict", "gone", "constraint", "keyTaken", "denied", "validation"]
    #expect(refusals.subtracting(allowed) == [])
    let reader = try store.reader()
    #expect(try reader.problems(model) == [])
    // Random links are no trees.
    let findings = try store.findings().filter { !$0.message.contains("their own ancestors") }
    #expect(findings == [])
    let expected = try reader.picture(model).joined(separator: "\n")
    expect(reports, toSee: expected)
  }

  /// What the contexts of two processes report, four of each.
  private func reports(
    of store: ConcurrentStore, _ policy: MergePolicy, seed: UInt64, saves: Int,
    model: UInt64? = nil
  ) async throws -> [ConcurrentProcess.Report] {
    let policy = try #require(MergePolicy.allCases.firstIndex(of: policy))
    let processes = (0..<ConcurrentProcess.processes).map {
      ConcurrentProcess(
        path: store.path, folder: store.path(""), index: $0, policy: policy, seed: seed,
        saves: saves, model: model)
    }
    async let first: Void = run(processes[0])
    async let second: Void = run(processes[1])
    _ = await (first, second)
    return try processes.flatMap {
      try JSONDecoder().decode(
        [ConcurrentProcess.Report].self,
        from: Data(contentsOf: URL(filePath: store.path("report\($0.index)"))))
    }
  }

  private func run(_ process: ConcurrentProcess) async {
    await #expect(processExitsWith: .success) { [process = process as ConcurrentProcess] in
      try process.run()
    }
  }

  private func expect(_ reports: [ConcurrentProcess.Report], toSee expected: String) {
    for report in reports { #expect(difference(report.picture, expected) == "") }
    let areListsTrue = reports.allSatisfy(\.isListTrue)
    #expect(areListsTrue)
  }

  /// The lines in which two pictures differ.
  private func difference(_ picture: String, _ expected: String) -> String {
    let (seen, stored) = (picture.split(separator: "\n"), expected.split(separator: "\n"))
    return
      (seen.filter { !stored.contains($0) }.map { "seen \($0)" }
      + stored.filter { !seen.contains($0) }.map { "stored \($0)" }).joined(separator: "\n")
  }
}

import Foundation
import ManagedObjects
import ObjectModel
import TestSupport
import Testing

/// Contexts of several threads and processes that save changes of the same objects at the same time.
@Suite(.serialized) struct `Saves at the same time` {
  /// How many saves are made under each policy; `CARDFILE_SAVES` changes it.
  static let saves =
    ProcessInfo.processInfo.environment["CARDFILE_SAVES"].flatMap { Int($0) } ?? 400
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
    let reports = try ConcurrentProcess.run(
      on: store, policy: policy, seed: Self.seed, saves: Self.saves / ConcurrentProcess.threads,
      names: 0, readsOthers: false
    ) {}
    let expected = try ConcurrentStore.picture(
      ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store)))
    for report in reports { #expect(difference(report.picture, expected) == "") }
  }

  // Core Data: NSMergePolicy: what each of them may overwrite.
  @Test(arguments: [Kind.plain, .coreData], MergePolicy.allCases)
  func `of two processes lose nothing that the merge policy does not give up`(
    kind: Kind, policy: MergePolicy
  ) async throws {
    let store = try ConcurrentStore(kind, itemCount: 16)
    let processes = try (0..<ConcurrentProcess.processes).map {
      ConcurrentProcess(
        path: store.path, folder: store.path(""), index: $0,
        policy: try #require(MergePolicy.allCases.firstIndex(of: policy)), seed: Self.seed,
        saves: Self.saves / ConcurrentProcess.processes / ConcurrentProcess.threads)
    }
    async let first: Void = run(processes[0])
    async let second: Void = run(processes[1])
    _ = await (first, second)
    let reports = try (0..<ConcurrentProcess.processes).flatMap {
      try JSONDecoder().decode(
        [ConcurrentProcess.Report].self,
        from: Data(contentsOf: URL(filePath: store.path("report\($0)"))))
    }
    #expect(reports.count == ConcurrentProcess.processes * ConcurrentProcess.threads)
    let audit = try ConcurrentAudit(store.log(), works: reports.map(\.works), policy: policy)
    #expect(audit.faults() == [])
    let expected = try store.picture()
    for report in reports { #expect(difference(report.picture, expected) == "") }
    let findings = try store.findings()
    #expect(findings == [])
  }

  private func run(_ process: ConcurrentProcess) async {
    await #expect(processExitsWith: .success) { [process = process as ConcurrentProcess] in
      try process.run()
    }
  }

  /// The lines in which two pictures differ.
  private func difference(_ picture: String, _ expected: String) -> String {
    let (seen, stored) = (picture.split(separator: "\n"), expected.split(separator: "\n"))
    return
      (seen.filter { !stored.contains($0) }.map { "seen \($0)" }
      + stored.filter { !seen.contains($0) }.map { "stored \($0)" }).joined(separator: "\n")
  }
}

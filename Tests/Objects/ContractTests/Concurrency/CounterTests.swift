import Foundation
import ManagedObjects
import ObjectModel
import TestSupport
import Testing

/// Contexts that count at once, each from what it has read.
@Suite(.serialized) struct `Counting at the same time` {
  /// Compares what is in a store with what was saved; says how much that is if a number of saves was
  /// asked for.
  private func expect(_ total: CounterReport, in store: any PersistentStore, _ name: String) throws
  {
    let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    let counters = try CounterStore.counters(context)
    #expect(counters.count == CounterStore.count)
    #expect(counters.map { $0.integer("n") } == total.added)
    #expect(counters.map { $0.integer("flag") } == total.flagged)
    // A run in which nobody has met anybody shows nothing.
    #expect(total.refusals > 0)
    if ProcessInfo.processInfo.environment["CARDFILE_SAVES"] != nil {
      print("\(name): \(total.saves) saves, \(total.refusals) refused")
    }
  }

  // Core Data: NSErrorMergePolicy and optimistic locking, on several threads.
  @Test(arguments: CounterStore.Layout.allCases, ["wal", "delete"])
  func `four threads lose no increment, and set no flag twice`(
    layout: CounterStore.Layout, journal: String
  ) throws {
    if layout == .memory, journal == "delete" { return }
    let folder = try TemporaryFolder()
    let counters = try CounterStore(layout, journal: journal, in: folder)
    let store = try counters.open()
    let saves = `Saves at the same time`.saves / ConcurrentProcess.threads
    var total = CounterReport()
    // A machine that is busy may run one thread after the other; then again.
    for round in 0..<5 where total.refusals == 0 {
      let process = CounterProcess(
        store: counters, index: round, seed: `Saves at the same time`.seed, saves: saves)
      let report = try process.run(on: store, isAlone: true)
      #expect(report.saves == saves * ConcurrentProcess.threads)
      total.add(report)
    }
    try expect(total, in: store, "\(layout) \(journal), threads")
  }

  // Core Data: the same in several processes.
  @Test(arguments: CounterStore.Layout.allCases.filter { $0 != .memory }, ["wal", "delete"])
  func `two processes lose no increment, and set no flag twice`(
    layout: CounterStore.Layout, journal: String
  ) async throws {
    let folder = try TemporaryFolder()
    let store = try CounterStore(layout, journal: journal, in: folder)
    let saves =
      `Saves at the same time`.saves / ConcurrentProcess.processes / ConcurrentProcess.threads
    let processes = (0..<ConcurrentProcess.processes).map {
      CounterProcess(store: store, index: $0, seed: `Saves at the same time`.seed, saves: saves)
    }
    async let first: Void = run(processes[0])
    async let second: Void = run(processes[1])
    _ = await (first, second)
    var total = CounterReport()
    for process in processes {
      total.add(
        try JSONDecoder().decode(
          CounterReport.self, from: Data(contentsOf: URL(filePath: process.reportPath))))
    }
    #expect(total.saves == saves * processes.count * ConcurrentProcess.threads)
    try expect(total, in: store.open(), "\(layout) \(journal), processes")
  }

  private func run(_ process: CounterProcess) async {
    await #expect(processExitsWith: .success) { [process = process as CounterProcess] in
      try process.run()
    }
    if let error = try? String(contentsOfFile: process.errorPath, encoding: .utf8) {
      Issue.record("\(error)")
    }
  }
}

import FetchedResults
import Foundation
import ManagedObjects
import ObjectModel
import SQLiteStore
import Synchronization
import TestSupport

/// Four contexts on four threads of one process, which share a coordinator.
struct ConcurrentProcess: Codable, Sendable {
  let path: String
  let folder: String
  let index: Int
  let policy: Int
  let seed: UInt64
  /// How many saves each context makes.
  let saves: Int
  /// The seed of a random model; nil for the items of ``ConcurrentStore``.
  var model: UInt64?

  static let threads = 4
  static let processes = 2

  /// What a context has done and what it sees in the end.
  struct Report: Codable {
    var works: [ConcurrentWriter.Work]
    var picture: String
    /// Whether a list that has followed all changes is like one that is fetched now.
    var isListTrue: Bool
  }

  /// What is done on each thread.
  struct Job: Sendable {
    let saves: Int
    let policy: MergePolicy
    let seed: UInt64
    /// The number of the first context.
    let firstName: Int
    /// Whether other processes save too.
    let hasOthers: Bool
    var model: RandomModel?

    /// A list with sections, which is to follow all changes.
    func list(_ context: ManagedObjectContext) throws -> FetchedResultsController<ManagedObject> {
      var random = SeededGenerator(seed: seed)
      let (request, section) =
        try model?.request(using: &random)
        ?? (
          FetchRequest<ManagedObject>(
            entityName: "Item", predicate: FetchPredicate(format: "a != NULL OR next != NULL"),
            sortDescriptors: [.init("a"), .init("next.b"), .init("number")]), SectionKey("a")
        )
      let list = FetchedResultsController(
        fetchRequest: request, context: context, sectionKey: section)
      try list.performFetch()
      return list
    }

    /// Whether a list is like one that is fetched now.
    func isTrue(_ list: FetchedResultsController<ManagedObject>, in context: ManagedObjectContext)
      throws -> Bool
    {
      if let error = list.mostRecentError { throw error }
      let fresh = ResultsSections(
        try context.fetchIDs(list.request.plan(in: context.model)),
        isSectioned: list.request.sectionKey != nil)
      return list.results == fresh
    }

    func picture(_ context: ManagedObjectContext) throws -> String {
      try model.map { try context.picture($0).joined(separator: "\n") }
        ?? ConcurrentStore.picture(context)
    }
  }

  /// Opens the store, saves in every thread, waits for the other process, and writes reports.
  func run() throws {
    let store = try SQLiteStore.open(
      path: path, options: SQLiteStore.Options(busyTimeout: 60, makesBackup: false))
    let job = Job(
      saves: saves, policy: MergePolicy.allCases[policy], seed: seed,
      firstName: index * Self.threads, hasOthers: true, model: model.map(RandomModel.init(seed:)))
    let reports = try Self.run(job, on: store) {
      _ = FileManager.default.createFile(atPath: "\(folder)/done\(index)", contents: nil)
      for process in 0..<Self.processes {
        while !FileManager.default.fileExists(atPath: "\(folder)/done\(process)") { usleep(10_000) }
      }
    }
    try JSONEncoder().encode(reports).write(to: URL(filePath: "\(folder)/report\(index)"))
  }

  /// - Parameter wait: Is called on each thread when all contexts have made their saves.
  static func run(
    _ job: Job, on store: any PersistentStore, wait: @escaping @Sendable () -> Void
  ) throws -> [Report] {
    let coordinator = PersistentStoreCoordinator(store: store)
    let results = Mutex<[Int: Result<Report, any Error>]>([:])
    let writing = DispatchGroup()
    let reading = DispatchGroup()
    for _ in 0..<threads { writing.enter() }
    for thread in 0..<threads {
      reading.enter()
      Thread {
        // Every other context keeps few rows, and is not given back those that it has saved.
        let context = ManagedObjectContext(
          coordinator: coordinator, rowCapacity: thread % 2 == 0 ? 2_000 : 2)
        context.mergePolicy = job.policy
        var writer = ConcurrentWriter(
          context, name: job.firstName + thread, seed: job.seed, model: job.model)
        let outcome = Result {
          let list = try job.list(context)
          for _ in 0..<job.saves { try writer.save(readsOthers: job.hasOthers) }
          return list
        }
        writing.leave()
        writing.wait()
        wait()
        let result = Result {
          let list = try outcome.get()
          if job.hasOthers { try context.refreshFromStore() }
          context.processPendingChanges()
          return Report(
            works: writer.works, picture: try job.picture(context),
            isListTrue: try job.isTrue(list, in: context))
        }
        results.withLock { $0[thread] = result }
        reading.leave()
      }.start()
    }
    reading.wait()
    return try results.withLock { results in
      try results.sorted { $0.key < $1.key }.map { try $0.value.get() }
    }
  }
}

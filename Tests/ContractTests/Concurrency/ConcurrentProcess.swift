import Foundation
import ManagedObjects
import ObjectModel
import SQLiteStore
import Synchronization

/// Four contexts on four threads of one process, which share a coordinator.
struct ConcurrentProcess: Codable, Sendable {
  let path: String
  let folder: String
  let index: Int
  let policy: Int
  let seed: UInt64
  /// How many saves each context makes.
  let saves: Int

  static let threads = 4
  static let processes = 2

  /// What a context has done and what it sees in the end.
  struct Report: Codable {
    var works: [ConcurrentWriter.Work]
    var picture: String
  }

  /// Opens the store, saves in every thread, waits for the other process, and writes reports.
  func run() throws {
    let store = try SQLiteStore.open(
      path: path, options: SQLiteStore.Options(busyTimeout: 60, makesBackup: false))
    let reports = try Self.run(
      on: store, policy: MergePolicy.allCases[policy], seed: seed, saves: saves,
      names: index * Self.threads, readsOthers: true
    ) {
      _ = FileManager.default.createFile(atPath: "\(folder)/done\(index)", contents: nil)
      for process in 0..<Self.processes {
        while !FileManager.default.fileExists(atPath: "\(folder)/done\(process)") { usleep(10_000) }
      }
    }
    try JSONEncoder().encode(reports).write(to: URL(filePath: "\(folder)/report\(index)"))
  }

  /// - Parameter wait: Is called on each thread when all contexts have made their saves.
  static func run(
    on store: any PersistentStore, policy: MergePolicy, seed: UInt64, saves: Int, names: Int,
    readsOthers: Bool, wait: @escaping @Sendable () -> Void
  ) throws -> [Report] {
    let coordinator = PersistentStoreCoordinator(store: store)
    let results = Mutex<[Int: Result<Report, any Error>]>([:])
    let writing = DispatchGroup()
    let reading = DispatchGroup()
    for _ in 0..<threads { writing.enter() }
    for thread in 0..<threads {
      reading.enter()
      Thread {
        let context = ManagedObjectContext(coordinator: coordinator)
        context.mergePolicy = policy
        var writer = ConcurrentWriter(context, name: names + thread, seed: seed)
        let outcome = Result {
          for _ in 0..<saves { try writer.save(readsOthers: readsOthers) }
        }
        writing.leave()
        writing.wait()
        wait()
        let result = Result {
          try outcome.get()
          if readsOthers { try context.refreshFromStore() }
          context.processPendingChanges()
          return Report(works: writer.works, picture: try ConcurrentStore.picture(context))
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

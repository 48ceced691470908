import Foundation
import GRDB
import ManagedObjects
import ObjectModel
import SQLiteStore
import Synchronization
import TestStores
import TestSupport

/// A store of counters and flags that several contexts change at once.
///
/// All count by ones from what they have read, so that two that lose an update have set the same
/// value; a flag is set by whoever has read 0, and has one value when it is set.
struct CounterStore: Codable, Sendable {
  /// How objects are stored and identified.
  enum Layout: String, CaseIterable, Codable {
    case memory, rowid, hiddenRowid, withoutRowid, compositeKey, compositeWithoutRowid
    case coreData, coreDataSubentities
  }

  static let count = 8

  let layout: Layout
  let path: String

  private static let columns = "n INTEGER NOT NULL DEFAULT 0, flag INTEGER NOT NULL DEFAULT 0"

  private static let model = ManagedObjectModel {
    Entity("Counter") {
      Attribute("n", .integer64, default: 0)
      Attribute("flag", .integer64, default: 0)
    }
  }

  private static let subentities = ManagedObjectModel {
    Entity("Counter", isAbstract: true) { Attribute("n", .integer64, default: 0) }
    Entity("Flagged", extends: "Counter") { Attribute("flag", .integer64, default: 0) }
    Entity("Other", extends: "Flagged") { Attribute("name", .string) }
  }

  /// Creates the file of a store with counters at 0; that of a store in memory has no file.
  init(_ layout: Layout, journal: String, in folder: TemporaryFolder) throws {
    (self.layout, path) = (layout, folder.path("store"))
    let tables: String? =
      switch layout {
      case .rowid: "CREATE TABLE Counter (id INTEGER PRIMARY KEY, \(Self.columns))"
      case .hiddenRowid: "CREATE TABLE Counter (\(Self.columns))"
      case .withoutRowid:
        "CREATE TABLE Counter (name TEXT PRIMARY KEY, \(Self.columns)) WITHOUT ROWID"
      case .compositeKey:
        "CREATE TABLE Counter (name TEXT, part INTEGER, \(Self.columns), PRIMARY KEY (name, part))"
      case .compositeWithoutRowid:
        """
        CREATE TABLE Counter (name TEXT, part INTEGER, \(Self.columns), PRIMARY KEY (name, part))
        WITHOUT ROWID
        """
      case .memory, .coreData, .coreDataSubentities: nil
      }
    if layout == .memory { return }
    if let tables {
      let queue = try DatabaseQueue(path: path)
      try queue.write { database in
        try database.execute(sql: tables)
        let keys: [String: String] = [
          "rowid": "id", "withoutRowid": "name", "compositeKey": "name, part",
          "compositeWithoutRowid": "name, part",
        ]
        for number in 0..<Self.count {
          guard let names = keys[layout.rawValue] else {
            try database.execute(sql: "INSERT INTO Counter DEFAULT VALUES")
            continue
          }
          let isPair = names.contains(",")
          try database.execute(
            sql: "INSERT INTO Counter (\(names)) VALUES (\(isPair ? "'c', " : "")\(number + 1))")
        }
      }
      try queue.close()
    } else {
      let model = layout == .coreData ? Self.model : Self.subentities
      let context = ManagedObjectContext(
        coordinator: PersistentStoreCoordinator(
          store: try Kind.coreData.makeStore(model, in: folder)))
      try fill(context)
    }
    let queue = try DatabaseQueue(path: path)
    _ = try queue.writeWithoutTransaction {
      try String.fetchOne($0, sql: "PRAGMA journal_mode = \(journal)")
    }
    try queue.close()
  }

  private func fill(_ context: ManagedObjectContext) throws {
    for number in 0..<Self.count {
      let names = layout == .coreDataSubentities ? ["Flagged", "Other"] : ["Counter"]
      _ = try context.insert(entityName: names[number % names.count])
    }
    try context.save()
  }

  func open() throws -> any PersistentStore {
    guard layout == .memory else {
      return try SQLiteStore.open(
        path: path, options: SQLiteStore.Options(busyTimeout: 60, makesBackup: false))
    }
    let store = InMemoryStore(model: Self.model)
    try fill(ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store)))
    return store
  }

  /// The counters, in an order that all contexts have.
  static func counters(_ context: ManagedObjectContext) throws -> [ManagedObject] {
    try context.all("Counter").sorted { $0.objectID < $1.objectID }
  }
}

/// What a context has saved, and how often it was refused.
struct CounterReport: Codable, Equatable {
  /// How much was added to each counter.
  var added = [Int64](repeating: 0, count: CounterStore.count)
  /// How often each flag was set, less how often it was cleared.
  var flagged = [Int64](repeating: 0, count: CounterStore.count)
  var saves = 0
  var refusals = 0

  mutating func add(_ other: CounterReport) {
    for index in added.indices {
      added[index] += other.added[index]
      flagged[index] += other.flagged[index]
    }
    saves += other.saves
    refusals += other.refusals
  }
}

/// The contexts of one process, each on a thread.
struct CounterProcess: Codable, Sendable {
  let store: CounterStore
  let index: Int
  let seed: UInt64
  /// How many saves each context makes.
  let saves: Int

  var reportPath: String { "\(store.path).report\(index)" }
  /// Where an error is written, because the exit status of a process does not say which it was.
  var errorPath: String { "\(store.path).error\(index)" }

  func run() throws {
    do {
      let report = try run(on: store.open(), isAlone: false)
      try JSONEncoder().encode(report).write(to: URL(filePath: reportPath))
    } catch {
      try Data("\(error)".utf8).write(to: URL(filePath: errorPath))
      throw error
    }
  }

  /// - Parameter isAlone: Whether there is no other process.
  func run(on store: any PersistentStore, isAlone: Bool) throws -> CounterReport {
    let shared = PersistentStoreCoordinator(store: store)
    let total = Mutex<Result<CounterReport, any Error>>(.success(CounterReport()))
    let group = DispatchGroup()
    for thread in 0..<ConcurrentProcess.threads {
      group.enter()
      Thread {
        [saves, seed = seed &* 1_000 &+ UInt64(index * ConcurrentProcess.threads + thread)] in
        // Every other one knows nothing of the others' saves, as in another process.
        let isStranger = thread % 2 == 1
        let coordinator = isStranger ? PersistentStoreCoordinator(store: store) : shared
        let result = Result {
          try Self.count(
            in: ManagedObjectContext(coordinator: coordinator), saves: saves, seed: seed,
            readsOthers: isStranger || !isAlone)
        }
        total.withLock { total in
          total = Result {
            var sum = try total.get()
            sum.add(try result.get())
            return sum
          }
        }
        group.leave()
      }.start()
    }
    group.wait()
    return try total.withLock { try $0.get() }
  }

  /// Counts until a number of saves have been made; those that are refused are tried again with what
  /// is in the store by then.
  private static func count(
    in context: ManagedObjectContext, saves: Int, seed: UInt64, readsOthers: Bool
  ) throws -> CounterReport {
    var random = SeededGenerator(seed: seed)
    var report = CounterReport()
    context.undoHistory.isRegistrationEnabled = false
    let counters = try CounterStore.counters(context)
    while report.saves < saves {
      var change = CounterReport()
      for index in Set((0..<3).map { _ in Int.random(in: 0..<CounterStore.count, using: &random) })
      {
        let counter = counters[index]
        guard let n = counter.integer("n"), let flag = counter.integer("flag") else { continue }
        if random.chance(oneIn: 3) {
          counter["flag"] = .integer(1 - flag)
          change.flagged[index] = 1 - 2 * flag
        } else {
          counter["n"] = .integer(n + 1)
          change.added[index] = 1
        }
      }
      do {
        if random.chance(oneIn: 4) { context.processPendingChanges() }
        if readsOthers, random.chance(oneIn: 8) { try context.refreshFromStore() }
        try context.save()
        change.saves = 1
        report.add(change)
      } catch let error as ManagedObjectError {
        guard error.reason == .conflict || error.storeError?.reason == .locked else { throw error }
        report.refusals += 1
        context.rollback()
        if readsOthers { try context.refreshFromStore() }
      }
    }
    return report
  }
}

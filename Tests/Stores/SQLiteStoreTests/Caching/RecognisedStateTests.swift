import Foundation
import GRDB
import ObjectModel
import SQLiteStore
import TestSupport
import Testing

/// A cache gives the results of the state that is read, or none: whatever happens to the files.
@Suite struct `A cached fetch` {
  /// How another program runs statements.
  enum Writer: String, CaseIterable {
    case connection, process

    static let program = "/usr/bin/sqlite3"

    static var available: [Writer] {
      allCases.filter { $0 == .connection || FileManager.default.isExecutableFile(atPath: program) }
    }

    func run(_ sql: String, on database: TemporaryDatabase) throws {
      guard self == .process else { return try database.run(sql) }
      let process = Process()
      process.executableURL = URL(fileURLWithPath: Self.program)
      process.arguments = ["-bail", database.path, ".timeout 5000", sql]
      process.standardOutput = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      #expect(process.terminationStatus == 0, "\(sql)")
    }
  }

  /// What happens to the files between two fetches.
  enum Event: String, CaseIterable {
    case update, updateOfOtherTable, vacuum, analyze, checkpoint, truncatingCheckpoint
    case replacement, overwriting, restoring, journalMode

    /// Whether no state from before can be there again.
    var changesState: Bool {
      switch self {
      case .update, .updateOfOtherTable, .vacuum, .replacement, .overwriting, .restoring: true
      case .analyze, .checkpoint, .truncatingCheckpoint, .journalMode: false
      }
    }

    func happen(
      to database: TemporaryDatabase, by writer: Writer, backup: String
    ) throws {
      switch self {
      case .update:
        // Neither the number of rows nor the size of a page changes.
        try writer.run("UPDATE t SET a = (a * 7 + 3) % 1000", on: database)
      case .updateOfOtherTable: try writer.run("UPDATE u SET b = b + 1", on: database)
      case .vacuum: try writer.run("VACUUM", on: database)
      case .analyze: try writer.run("ANALYZE", on: database)
      case .checkpoint: try writer.run("PRAGMA wal_checkpoint", on: database)
      case .truncatingCheckpoint: try writer.run("PRAGMA wal_checkpoint(TRUNCATE)", on: database)
      case .replacement:
        // The path leads to another file with the same bytes, size and time of modification.
        let copy = database.path + "-copy"
        try Self.copy(database.path, to: copy, keepingTimes: true)
        rename(copy, database.path)
      case .overwriting:
        let copy = database.path + "-copy"
        try Self.copy(database.path, to: copy, keepingTimes: true)
        try Self.copy(copy, to: database.path, keepingTimes: true)
        unlink(copy)
      case .restoring:
        for suffix in ["-wal", "-shm"] { unlink(database.path + suffix) }
        try Self.copy(backup, to: database.path, keepingTimes: true)
      case .journalMode:
        let mode = try database.connect().writeWithoutTransaction {
          try String.fetchOne($0, sql: "PRAGMA journal_mode")
        }
        try writer.run("PRAGMA journal_mode = \(mode == "wal" ? "DELETE" : "WAL")", on: database)
      }
    }

    /// Writes the bytes of a file into another one, with its time of modification.
    static func copy(_ source: String, to target: String, keepingTimes: Bool) throws {
      var status = stat()
      #expect(stat(source, &status) == 0)
      try Data(contentsOf: URL(fileURLWithPath: source)).withUnsafeBytes { bytes in
        let descriptor = open(target, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        try #require(write(descriptor, bytes.baseAddress, bytes.count) == bytes.count)
        var times = [status.st_atim, status.st_mtim]
        futimens(descriptor, &times)
        close(descriptor)
      }
    }
  }

  static let plan = FetchPlan(
    entityName: "t", sortDescriptors: [FetchSortDescriptor("a"), FetchSortDescriptor("n")],
    sectionKey: SectionKey("a"))

  static func makeDatabase(_ mode: String) throws -> TemporaryDatabase {
    try TemporaryDatabase(
      """
      PRAGMA page_size = 512; PRAGMA journal_mode = \(mode);
      CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, n TEXT);
      CREATE TABLE u (id INTEGER PRIMARY KEY, b INTEGER); INSERT INTO u VALUES (1, 1);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
      INSERT INTO t SELECT i, i * 37 % 50, 'row ' || i FROM n
      """)
  }

  @Test(arguments: ["DELETE", "PERSIST", "WAL"])
  func `is that of an earlier process if nothing has changed`(mode: String) throws {
    let database = try Self.makeDatabase(mode)
    let cache = MemoryCache()
    waitUntilSettled()
    let first = try database.open()
    #expect(try first.fetch(Self.plan, from: cache) == nil)
    let fetched = try first.refetch(Self.plan, since: nil, keepingIn: cache, control: nil)
    #expect(cache.count == 1)
    let second = try database.open()
    let found = try #require(try second.fetch(Self.plan, from: cache))
    #expect(found.results == fetched.results)
    #expect(try second.fetch(Self.plan, control: nil) == found.results)
    #expect(try first.fetch(Self.plan, from: cache)?.results == fetched.results)
  }

  @Test(
    arguments: Writer.available.flatMap { writer in ["DELETE", "WAL"].map { (writer, $0) } },
    Event.allCases.filter(\.changesState))
  func `is not used after an event`(_ setting: (writer: Writer, mode: String), _ event: Event)
    throws
  {
    let (writer, mode) = setting
    let database = try Self.makeDatabase(mode)
    let cache = MemoryCache()
    let backup = database.path + "-backup"
    try Event.copy(database.path, to: backup, keepingTimes: true)
    waitUntilSettled()
    let store = try database.open()
    _ = try store.refetch(Self.plan, since: nil, keepingIn: cache, control: nil)
    #expect(cache.count == 1)
    try event.happen(to: database, by: writer, backup: backup)
    #expect(try database.open().fetch(Self.plan, from: cache) == nil)
    waitUntilSettled()
    #expect(try database.open().fetch(Self.plan, from: cache) == nil)
  }

  @Test func `is not used while another program's commits are in the log`() throws {
    let database = try Self.makeDatabase("WAL")
    let cache = MemoryCache()
    let other = try database.connect()
    func commit(_ sql: String) throws {
      try other.writeWithoutTransaction { try $0.execute(sql: sql) }
    }
    try commit("UPDATE t SET a = a + 1")
    waitUntilSettled()
    let store = try database.open()
    let fetched = try store.refetch(Self.plan, since: nil, keepingIn: cache, control: nil)
    #expect(cache.count == 1)
    #expect(try database.open().fetch(Self.plan, from: cache)?.results == fetched.results)
    // The log has been checkpointed and is begun anew, so that it does not grow.
    try commit("PRAGMA wal_checkpoint")
    try commit("UPDATE t SET a = 50 - a")
    #expect(try store.fetch(Self.plan, from: cache) == nil)
    waitUntilSettled()
    #expect(try database.open().fetch(Self.plan, from: cache) == nil)
    try other.close()
  }

  @Test func `is not kept of a file that may have been overwritten while it was open`() throws {
    let database = try Self.makeDatabase("DELETE")
    let cache = MemoryCache()
    let store = try database.open()
    _ = try store.fetch(Self.plan, control: nil)
    // Another copy of the same state of the file, as far as SQLite can see.
    var bytes = try Data(contentsOf: URL(fileURLWithPath: database.path))
    let place = try #require(bytes.range(of: Data("row 77".utf8)))
    bytes.replaceSubrange(place, with: Data("aow 77".utf8))
    let handle = try FileHandle(forUpdating: URL(fileURLWithPath: database.path))
    try handle.write(contentsOf: bytes)
    try handle.close()
    waitUntilSettled()
    _ = try store.refetch(Self.plan, since: nil, keepingIn: cache, control: nil)
    let other = try database.open()
    let expected = try other.fetch(Self.plan, control: nil)
    #expect(try other.fetch(Self.plan, from: cache)?.results ?? expected == expected)
    #expect(cache.count == 0)
  }

  @Test func `is not kept of a file that was written a moment ago`() throws {
    let database = try Self.makeDatabase("DELETE")
    let cache = MemoryCache()
    let store = try database.open()
    // Nobody can be sure how long ago the test ran these lines: only fast runs tell something.
    let start = ContinuousClock.now
    try database.run("UPDATE t SET a = 1 - a")
    _ = try store.refetch(Self.plan, since: nil, keepingIn: cache, control: nil)
    if ContinuousClock.now - start < .milliseconds(15) { #expect(cache.count == 0) }
  }

  /// How many random histories are tried; `CARDFILE_CACHES` changes it.
  static let histories: ClosedRange<UInt64> =
    1...(ProcessInfo.processInfo.environment["CARDFILE_CACHES"].flatMap { UInt64($0) } ?? 6)

  @Test(arguments: histories)
  func `equals a fetch after any events`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let database = try Self.makeDatabase(Bool.random(using: &generator) ? "WAL" : "DELETE")
    let backup = database.path + "-backup"
    try Event.copy(database.path, to: backup, keepingTimes: true)
    let cache = MemoryCache()
    var store: SQLiteStore?
    var other: DatabaseQueue?
    var hits = 0
    for step in 0..<25 {
      // Somebody may have the database open all the time.
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: if other == nil { other = try database.connect(busyTimeout: 5) }
      case 1:
        try other?.close()
        other = nil
      default: break
      }
      let event = Event.allCases.randomElement(using: &generator) ?? .update
      let replaces = [.replacement, .restoring, .overwriting].contains(event)
      // A database that is in use must not be written by anything but SQLite.
      if replaces { (store, other) = (nil, nil) }
      if Bool.random(using: &generator), event != .journalMode || other == nil {
        store = event == .journalMode ? nil : store
        let writers = generator.chanceOfProcess ? Writer.available : [.connection]
        try event.happen(to: database, by: writers[writers.count - 1], backup: backup)
      }
      if Bool.random(using: &generator) { waitUntilSettled() }
      let current = try store ?? database.open()
      store = Bool.random(using: &generator) ? current : nil
      let found = try current.fetch(Self.plan, from: cache)
      let expected = try current.fetch(Self.plan, control: nil)
      #expect(found?.results ?? expected == expected, "step \(step), after \(event)")
      if found != nil { hits += 1 }
      _ = try current.refetch(Self.plan, since: nil, keepingIn: cache, control: nil)
    }
    try other?.close()
    #expect(hits > 0)
  }
}

extension SeededGenerator {
  /// Whether the next event is that of a process of its own, which takes longer.
  fileprivate var chanceOfProcess: Bool {
    mutating get { Int.random(in: 0..<8, using: &self) == 0 }
  }
}

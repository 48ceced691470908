import FetchedResults
import Foundation
import ManagedObjects
import ObjectModel
import PostgreSQLStore
import SQLiteStore

/// Lists that hold only the rows around what is looked at, by surname in an index.
extension Workload {
  /// What a person does with a list, and the statement that gives the same sixty rows.
  private static let steps: [(name: String, part: ListPart?, tail: String)] = [
    ("open", nil, "ORDER BY surname, id LIMIT 60"),
    ("last", .last, "ORDER BY surname DESC, id DESC LIMIT 60"),
    ("middle", .share(0.5), "WHERE surname >= 'J' ORDER BY surname, id LIMIT 60"),
    ("next", .next, "WHERE surname = 'Evans' AND id > 1000 ORDER BY id LIMIT 1000"),
    (
      "section", .matching(FetchPredicate("surname", .greaterOrEqual, "Kovač")),
      "WHERE surname >= 'Kovač' ORDER BY surname, id LIMIT 60"
    ),
    ("key", .matching(FetchPredicate("id", .equal, 4_321)), "WHERE id = 4321"),
    (
      "find", .matching(FetchPredicate("city", .equal, "Split")),
      "WHERE city = 'Split' ORDER BY surname, id LIMIT 60"
    ),
  ]

  /// In SQLite: `w-open`, `w-last` and so on.
  static let windows = steps.map { step in
    Workload(
      name: "w-\(step.name)",
      meaning: "\(step.name) in a list of rows by an index, with 60 rows; the statement for them",
      goal: .milliseconds(30), memoryGoal: 60
    ) { setting in
      let database = try RawDatabase(path: setting.path)
      try database.execute("CREATE INDEX IF NOT EXISTS by_surname ON people(surname, id)")
      let list = try WindowedList(
        SQLiteStore.open(path: setting.path), "people", by: FetchSortDescriptor("surname"))
      let statement = try database.prepare("SELECT * FROM people \(step.tail)")
      return try Measurement(
        setting,
        ours: { try list.show(step.part) },
        raw: {
          while try statement.step() { consume(Int(statement.integer(at: 0))) }
          statement.reset()
        })
    }
  }

  /// In the server at `CARDFILE_POSTGRES`, which gets a table `people_N`: `pg-open` and so on.
  static let postgres = steps.map { step in
    Workload(
      name: "pg-\(step.name)",
      meaning:
        "\(step.name) in a list of rows in a PostgreSQL server; the statement for them in psql",
      goal: .milliseconds(30), memoryGoal: 60, isOnServer: true
    ) { setting in
      let address = ProcessInfo.processInfo.environment["CARDFILE_POSTGRES"] ?? "postgres:///"
      let (psql, table) = (try ServerShell(address), "people_\(setting.rows)")
      try psql.makePeople(table, rows: setting.rows)
      // As people have it.
      let order = FetchSortDescriptor(
        "surname", comparison: .collation(TextCollation("und-x-icu")))
      let list = try WindowedList(PostgreSQLStore(address: address), table, by: order)
      return try Measurement(
        setting,
        ours: { try list.show(step.name == "section" ? .text("Kovač") : step.part) },
        raw: { _ = try psql.run("SELECT * FROM \(table) \(step.tail);") })
    }
  }
}

extension FetchPredicate {
  fileprivate init(_ name: String, _ operation: Operator, _ value: Value) {
    self.init(.comparison(.init(.keyPath([name]), operation, .constant(value))))
  }
}

/// A list by surname that holds only what is looked at.
private final class WindowedList {
  private let controller: FetchedResultsController<ManagedObject>

  init(_ store: any PersistentStore, _ entityName: String, by order: FetchSortDescriptor) throws {
    controller = FetchedResultsController(
      fetchRequest: FetchRequest<ManagedObject>(
        entityName: entityName, sortDescriptors: [order]),
      context: ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store)))
    try show(nil)
    guard controller.isWindowed else { throw BenchError("The list is not a windowed one.") }
  }

  /// Shows a part, the first rows of a new list if it is nil, and reads sixty rows.
  func show(_ part: ListPart?) throws {
    if let part {
      _ = try controller.show(part, count: 60)
      while controller.isReading(part) { poll() }
    } else {
      try controller.performFetch(firstScreen: 60) {}
      while controller.results?.count ?? 0 < 60 { poll() }
    }
    guard let list = controller.results else { return }
    let start = min(controller.targetRow ?? (part == .last ? list.count - 60 : 0), list.count)
    let rows = max(start, 0)..<min(start + 60, list.count)
    controller.look(at: rows)
    controller.prefetch(rows)
  }

  private func poll() { if !controller.takeBackgroundResults() { usleep(100) } }
}

struct BenchError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// A psql that runs statements, one after the other.
private final class ServerShell {
  private let process = Process()
  private let (input, output) = (Pipe(), Pipe())

  init(_ address: String) throws {
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", address]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
  }

  deinit { try? input.fileHandleForWriting.close() }

  /// Runs a statement, and returns what was printed.
  func run(_ sql: String) throws -> String {
    try input.fileHandleForWriting.write(contentsOf: Data("\(sql)\n\\echo <end>\n".utf8))
    var text = Data()
    while !text.suffix(6).elementsEqual(Data("<end>\n".utf8)) {
      let part = output.fileHandleForReading.availableData
      guard !part.isEmpty else { throw BenchError("psql has ended: \(sql)") }
      text += part
    }
    return String(decoding: text.dropLast(6), as: UTF8.self)
  }

  /// Makes a table as ``PeopleDatabase`` does, once.
  func makePeople(_ table: String, rows: Int) throws {
    guard try run("SELECT to_regclass('\(table)') IS NULL;").hasPrefix("t") else { return }
    func pick(_ words: [String], _ factor: Int) -> String {
      "(ARRAY['\(words.joined(separator: "','"))'])[1 + i * \(factor) % \(words.count)]"
    }
    _ = try run(
      """
      CREATE TABLE \(table) (id bigint PRIMARY KEY, name text, surname text COLLATE "und-x-icu" NOT NULL,
        email text, city text, born date, notes text);
      ALTER TABLE \(table) SET (autovacuum_enabled = off);
      INSERT INTO \(table) SELECT i, \(pick(PeopleDatabase.names, 7)),
        \(pick(PeopleDatabase.surnames, 11)) || CASE WHEN i % 4 = 0 THEN '-' || \(pick(PeopleDatabase.surnames, 13)) ELSE '' END,
        'person' || i || '@example.org', \(pick(PeopleDatabase.cities, 3)), date '1930-01-01' + (i * 7 % 29000)::int,
        \(pick(PeopleDatabase.notes, 5)) FROM generate_series(1::bigint, \(rows)) i;
      CREATE INDEX ON \(table) (surname, id);
      VACUUM ANALYZE \(table);
      """)
  }
}
